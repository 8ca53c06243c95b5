/** Writes the rows exactly as drawn, past all triggers and checks. */
import type pg from 'pg'
import type { RawRows } from './raw-rows.ts'

const OPTIONS = JSON.stringify(
  ['a', 'b', 'c'].map((id) => ({ id, text: id.toUpperCase(), correct: null, feedback: '' })),
)

/** The other fields of a lift's version, besides its questions. */
const LIFT = JSON.stringify({
  ...{ title: 'As it was sent', sms_text: '', email_subject: '', blocks: [], required: true, est_minutes: 3 },
  completion_rule: 'all_required_prompts',
})
const CHOICES = `case when r ->> 'kind' like '%choice' or r ->> 'kind' = 'ranking' then '${OPTIONS}'::jsonb else '[]' end`

export async function writeRows(admin: pg.Client, tenant: string, rows: RawRows): Promise<void> {
  const put = (table: string, columns: string, values: string, of: readonly object[]) =>
    admin.query(
      `insert into ${table} (tenant_id, ${columns}) overriding system value
       select $1, ${values} from jsonb_array_elements($2::jsonb) with ordinality as one (r, n)`,
      [tenant, JSON.stringify(of)],
    )
  const at = (...names: string[]) => names.map((name) => `(r ->> '${name}')::timestamptz`).join(', ')
  const id = (...names: string[]) => names.map((name) => `(r ->> '${name}')::bigint`).join(', ')
  await put(
    'journeys',
    'id, author_id, sub_tenant_id, name, category, status, launched_at',
    `${id('id', 'author_id')}, (r ->> 'sub_tenant_id')::uuid, r ->> 'name', 'Sales', r ->> 'status', now() - interval '99 days'`,
    rows.journeys,
  )
  await put(
    'learning_objectives',
    'id, journey_id, code, text, position',
    `${id('id', 'journey_id')}, r ->> 'code', 'Do it', n`,
    rows.objectives,
  )
  await put(
    'lifts',
    'id, journey_id, position, title, status',
    `${id('id', 'journey_id')}, (r ->> 'position')::int, r ->> 'title', 'ready'`,
    rows.lifts,
  )
  await put(
    'prompts',
    'id, lift_id, position, kind, text, visibility, scoring, max_score, options',
    `${id('id', 'lift_id')}, n, r ->> 'kind', 'What ' || (r ->> 'id') || '?', r ->> 'visibility', r ->> 'scoring',
      (r ->> 'max_score')::numeric, ${CHOICES}`,
    rows.prompts,
  )
  const tags = (of: readonly { id: number; objectives: number[] }[]) =>
    of.flatMap(({ id, objectives }) => objectives.map((objective) => ({ id, objective })))
  await put('lift_objectives', 'lift_id, objective_id', id('id', 'objective'), tags(rows.lifts))
  await put('prompt_objectives', 'prompt_id, objective_id', id('id', 'objective'), tags(rows.prompts))
  await put(
    'lift_versions',
    'lift_id, version, content',
    `${id('lift_id')}, (r ->> 'version')::int, '${LIFT}'::jsonb || jsonb_build_object('prompts', coalesce(
      (select jsonb_agg(to_jsonb(p) - 'tenant_id' - 'retired_on' - 'created_on' order by p.id) from prompts p
        where r -> 'prompts' @> to_jsonb(p.id)), '[]'))`,
    rows.versions,
  )
  await put(
    'members',
    'id, journey_id, user_id, role, exclude_data, state, left_at',
    `${id('id', 'journey_id', 'user_id')}, r ->> 'role', (r ->> 'exclude_data')::boolean,
      case when r ->> 'left_at' is null then 'active' else 'withdrawn' end, ${at('left_at')}`,
    rows.members,
  )
  await put(
    'occurrences',
    'id, journey_id, lift_id, member_id, zone, content_version, state, due_at, opened_at, first_response_at, completed_at, closes_at',
    `${id('id', 'journey_id', 'lift_id', 'member_id')}, 'UTC', (r ->> 'content_version')::int, r ->> 'state',
      ${at('due_at', 'opened_at', 'first_response_at', 'completed_at', 'closes_at')}`,
    rows.occurrences,
  )
  await put(
    'dispatches',
    'id, occurrence_id, kind, seq, channel, state, due_at, next_attempt_at, sent_at, accepted_at, delivered_at, error_code',
    `${id('id', 'occurrence_id')}, r ->> 'kind', (r ->> 'seq')::int, r ->> 'channel', r ->> 'state', now(), now(),
      ${at('sent_at', 'accepted_at', 'delivered_at')}, r ->> 'error_code'`,
    rows.dispatches,
  )
  await put(
    'responses',
    'id, member_id, lift_id, prompt_id, prompt_version, value, visibility, is_current, score, score_comment, submitted_at, scored_at',
    `${id('id', 'member_id', 'lift_id', 'prompt_id')}, 1, r -> 'value', r ->> 'visibility', (r ->> 'is_current')::boolean,
      (r ->> 'score')::numeric, r ->> 'comment', ${at('submitted_at', 'scored_at')}`,
    rows.responses,
  )
}
