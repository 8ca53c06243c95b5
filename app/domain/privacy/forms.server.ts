/**
 * What assessments contain about a person: their answers about themselves and others, and others' answers about them.
 */
import { sql } from 'kysely'
import type { Scope } from '../scope/scope.server.ts'

/** Replaces erased free text. */
const ERASED = '[erased]'

/** Choices and scale steps stay in the figures; free text by or about the person is erased. */
export async function eraseForms({ db }: Scope, userId: number): Promise<void> {
  await sql`
    update assessment_forms f set earlier = '[]', reopened_reason = null,
      answers = coalesce((select jsonb_object_agg(said.key, case
          when jsonb_typeof(said.value) = 'string' and not exists (select from assessment_items i
            where i.tenant_id = f.tenant_id and i.id = said.key::bigint and i.kind = 'choice')
          then to_jsonb(${ERASED}::text) else said.value end)
        from jsonb_each(f.answers) said), '{}')
    from members m where m.tenant_id = f.tenant_id and m.user_id = ${userId} and m.id in (f.subject_id, f.rater_id)`.execute(
    db,
  )
}

const SAID = sql`(select jsonb_agg(jsonb_build_object('question', i.text, 'value', f.answers -> i.id::text)
    order by i.position, i.id)
  from assessment_items i where i.assessment_id = f.assessment_id and f.answers ? i.id::text)`

export async function filledIn({ db }: Scope, userId: number, raters: readonly string[]): Promise<unknown[]> {
  const { rows } = await sql<object>`
    select j.name as journey, a.name as assessment, f.rater, f.state, f.score, f.submitted_at, f.revision, f.earlier,
      ${SAID} as answers
    from assessment_forms f join members r on r.id = f.rater_id join assessments a on a.id = f.assessment_id
      join journeys j on j.id = f.journey_id
    where r.user_id = ${userId} and f.answers <> '{}' and f.rater = any(${raters}::text[]) order by f.id`.execute(
    db,
  )
  return rows
}

/** Only what the person may read in the product: peers were promised anonymity. */
export async function saidBySponsors({ db }: Scope, userId: number): Promise<unknown[]> {
  const { rows } = await sql<object>`
    select j.name as journey, a.name as assessment, f.score, f.submitted_at, ${SAID} as answers
    from assessment_forms f join members s on s.id = f.subject_id join assessments a on a.id = f.assessment_id
      join journeys j on j.id = f.journey_id
    where s.user_id = ${userId} and f.rater = 'sponsor' and f.state = 'submitted'
      and (not 'self' = any(a.raters) or exists (select from assessment_forms own where own.assessment_id = f.assessment_id
        and own.subject_id = f.subject_id and own.rater = 'self' and own.state = 'submitted'))
    order by f.id`.execute(db)
  return rows
}
