/** The audit line that each call writes, taken from the specification and not from app/. */
import type { Who } from '#tests/api/isolation/matrix-people.ts'
import type { Row } from '#tests/api/isolation/matrix-policy.ts'

export type Line = {
  action: string
  subject: string
  /**
   * Where the line belongs: `person`: to the caller's own place; `whole`: to the company without a sub-tenant;
   * `itself`: to the sub-tenant that is the subject. By default, where the subject is.
   */
  place?: 'person' | 'whole' | 'itself'
  /** A different request than that of the matrix, which would be refused or change nothing. */
  ask?: Partial<Row>
  /** Statements in the same transaction before it; `{journey}` is the place's own journey, `{me}` the caller. */
  after?: readonly string[]
  by?: readonly Who[]
}

const READY = [
  `update lifts set status = 'ready', schedule = '{"kind": "manual", "at_launch": true}' where journey_id = {journey}`,
  `update journeys set category = 'Sales' where id = {journey}`,
]
const IS = (status: string) => [...READY, `update journeys set status = '${status}' where id = {journey}`]
const OPEN_TURN = [
  ...IS('active'),
  `insert into lift_versions (tenant_id, lift_id, version, content) select tenant_id, id, 77,
    to_jsonb(l) || '{"prompts": [], "objective_ids": []}' from lifts l where id = {lift}`,
  `insert into occurrences (tenant_id, journey_id, lift_id, member_id, zone, due_at, state, content_version)
    select tenant_id, journey_id, {lift}, id, 'UTC', now() - interval '1 hour', 'sent', 77 from members
    where journey_id = {journey} and user_id = {me}`,
]
const SESSION = `insert into sessions (tenant_id, user_id, id_hash, pool_id, tokens_sealed, access_expires_at, expires_at)
  select tenant_id, id, '\\x01', (select id from pools where is_default), 'x', now(), now() + interval '1 day'
  from users where id = {me}`
const JOURNEY_FILE = '---\nliftwell: 1\nname: Brought in\n---\n'

const line = (action: string, more: Partial<Line> = {}): Line => ({
  action,
  subject: action.split('.')[0] ?? '',
  ...more,
})
const about = (action: string, more: Partial<Line> = {}): Line =>
  line(action, { subject: 'user', place: 'person', ...more })

const EDITORS = ['admin', 'sub_admin', 'super_inside'] as const

export const AUDITED: Record<string, Line> = {
  'POST /tenants': line('tenant.created'),
  'PUT /tenants/{id}': line('tenant.updated'),
  'DELETE /tenants/{id}': line('tenant.deleted'),
  'POST /tenants/{id}/restore': line('tenant.restored', {
    after: ['update tenants set deleted_on = now() where id = scope_tenant()'],
    by: ['super_home'],
  }),
  'PUT /tenants/{id}/company': line('company.updated', { subject: 'tenant' }),
  'POST /tenants/{id}/sub_tenants': line('sub_tenant.created', {
    place: 'itself',
    by: ['admin', 'super_inside'],
  }),
  'PUT /tenants/{id}/sub_tenants/{subId}': line('sub_tenant.updated'),
  'DELETE /tenants/{id}/sub_tenants/{subId}': line('sub_tenant.deleted'),
  'POST /tenants/{id}/sub_tenants/{subId}/restore': line('sub_tenant.restored', {
    after: [`update sub_tenants set deleted_on = now() where id = '{sub_tenant}'`],
    by: ['admin', 'super_home', 'super_inside'],
  }),
  'PUT /tenants/{id}/sub_tenants/{subId}/company': line('company.updated', { subject: 'sub_tenant' }),
  'PUT /tenants/{id}/pool': line('tenant.pool_updated'),
  'PUT /pools/shared': line('pool.updated'),

  'PUT /users/me': about('profile.updated'),
  'POST /users/me/contacts': about('phone_change.requested'),
  'PUT /users/me/notification_preferences': about('notification_preferences.updated'),
  'PUT /users/me/consents': about('consent.opt_in', {
    ask: { body: { sms_opt_in: true } },
    after: [`update users set mobile_phone = '+436641234567' where id = {me}`],
    by: ['admin', 'sub_admin'],
  }),
  'DELETE /users/me/sessions': about('user.sessions_ended', { after: [SESSION], by: ['admin', 'sub_admin'] }),

  'POST /users': line('user.created', { by: ['admin', 'super_inside'] }),
  'POST /analytics/exports': line('figures.exported', { subject: 'tenant' }),
  'POST /lljs/{id}/statements': line('figures.exported', { subject: 'journey' }),
  'POST /users/import': line('users.import_started', { subject: 'user_import' }),
  'POST /users/imports/{id}/import': line('users.import_started', { subject: 'user_import' }),
  'PUT /users/{id}': line('user.updated'),
  'PATCH /users/{id}/activation': line('user.deactivated'),
  'POST /users/{id}/erasure': line('user.erased'),
  'POST /auth/resend-welcome-email/{id}': line('user.invited'),
  'DELETE /users/{id}': line('user.deleted', {
    ask: {},
    after: ['delete from members where user_id = {user}'],
    by: ['admin', 'sub_admin', 'super_inside'],
  }),
  'DELETE /users/{id}/roles': line('user.updated', {
    ask: {},
    after: [
      `insert into user_general_roles (tenant_id, user_id, role) select tenant_id, id, 'user' from users where id = {user}`,
    ],
    by: ['sub_admin'],
  }),
  'POST /auth/resend-welcome-email': line('user.invited', {
    ask: { kind: 'user', body: (ids) => ({ user_ids: [Number(ids.user)] }) },
    by: ['admin', 'sub_admin', 'super_inside'],
  }),
  'POST /user_groups': line('user_group.created'),
  'PUT /user_groups/{id}': line('user_group.updated'),
  'PATCH /user_groups/{id}/users': line('user_group.people_changed'),
  'DELETE /user_groups/{id}': line('user_group.deleted'),
  'POST /files': line('file.uploaded'),

  'POST /lljs': line('journey.created'),
  'PUT /lljs/{id}': line('journey.updated'),
  'DELETE /lljs/{id}': line('journey.deleted'),
  'POST /lljs/{id}/lifts': line('lift.created'),
  'PATCH /lljs/{id}/lifts/order': line('lifts.ordered', { subject: 'journey' }),
  'POST /lljs/{id}/members': line('members.added', {
    subject: 'journey',
    ask: { body: (ids) => ({ user_ids: [Number(ids.user)], role: 'facilitator' }) },
    by: EDITORS,
  }),
  'PATCH /lljs/{id}/members': line('members.changed', { subject: 'journey' }),
  'DELETE /lljs/{id}/members/{memberId}': line('member.removed', { subject: 'journey' }),
  'POST /lljs/{id}/learning_objectives': line('objective.created', { subject: 'journey' }),
  'POST /lljs/{id}/duplicate': line('journey.duplicated'),
  'POST /lljs/{id}/archive': line('journey.archived'),
  'PATCH /lljs/{id}/author': line('journey.author_changed', {
    ask: { body: (ids) => ({ author_id: Number(ids.user) }) },
    after: [`update user_general_roles set role = 'author' where user_id = {user}`],
    by: EDITORS,
  }),
  'POST /lljs/import': line('journey.created', {
    ask: { body: { text: JOURNEY_FILE, dry_run: false } },
    by: ['admin', 'sub_admin', 'super_inside'],
  }),
  'POST /lljs/{id}/members/import': line('members.added', {
    subject: 'journey',
    ask: { body: { csv: 'email,role\nadam@acme.example,facilitator', dry_run: false } },
    after: [`update users set email = 'adam@acme.example' where id = {user}`],
    by: EDITORS,
  }),
  'POST /lljs/{id}/launch': line('journey.launched', {
    ask: { body: { skip_past: true } },
    after: READY,
    by: EDITORS,
  }),
  'POST /lljs/{id}/pause': line('journey.paused', { ask: {}, after: IS('active'), by: EDITORS }),
  'POST /lljs/{id}/resume': line('journey.resumed', { ask: {}, after: IS('paused'), by: EDITORS }),
  'POST /lljs/{id}/complete': line('journey.completed', { ask: {}, after: IS('active'), by: EDITORS }),
  'POST /lifts/{id}/send_now': line('lift.sent', { ask: {}, after: IS('active'), by: EDITORS }),
  'POST /unknown_messages/decisions': line('message.arrived', {
    subject: 'lift',
    ask: { kind: 'lift' },
    after: [
      ...OPEN_TURN.map((step) => step.replace('{me}', '{user}')),
      `insert into dispatches (tenant_id, occurrence_id, kind, channel, due_at, next_attempt_at, state, unknown_since)
        select tenant_id, id, 'lift', 'email', now(), 'infinity', 'unknown', now() from occurrences where lift_id = {lift}`,
    ],
    by: EDITORS,
  }),
  'POST /lifts/{id}/responses': line('lift.answered', {
    ask: { body: { responses: [], complete: true } },
    after: OPEN_TURN,
    by: ['learner'],
  }),
  'POST /lljs/{id}/assessments': line('assessment.created'),
  'PUT /assessments/{id}': line('assessment.updated'),
  'DELETE /assessments/{id}': line('assessment.retired'),
  'PUT /assessments/{id}/forms/{userId}': line('assessment.answered', {
    ask: { body: { submit: false } },
    after: [
      ...IS('active'),
      `insert into assessment_forms (tenant_id, journey_id, assessment_id, subject_id, rater, rater_id, state)
        select s.tenant_id, s.journey_id, {assessment}, s.id, 'peers', r.id, 'open'
        from members s join members r on r.journey_id = s.journey_id and r.user_id = {me}
        where s.journey_id = {journey} and s.user_id = {user}`,
    ],
    by: ['learner'],
  }),
  'POST /assessments/{id}/forms/{userId}/reopen': line('assessment.reopened'),
  'PUT /learning_objectives/{id}': line('objective.updated', { subject: 'journey' }),
  'DELETE /learning_objectives/{id}': line('objective.deleted', { subject: 'journey' }),
  'PUT /lifts/{id}': line('lift.updated'),
  'DELETE /lifts/{id}': line('lift.deleted'),
  'POST /lifts/{id}/prompts': line('prompt.created'),
  'PATCH /lifts/{id}/prompts/order': line('prompts.ordered', { subject: 'lift' }),
  'POST /lifts/{id}/send_test': line('lift.test_sent'),
  'PUT /prompts/{id}': line('prompt.updated'),
  'DELETE /prompts/{id}': line('prompt.deleted'),
}

const SECURITY = 'tests/screens/sign-in/security.test.ts: at a provider that answers'

const SPONSOR = 'sponsors.test.ts: of a learner who has a sponsor'

/** These write lines too, but need a state that other tests prepare. */
export const PREPARED: Record<string, string> = {
  'POST /users/me/contacts/confirm': 'privacy.test.ts: with the code that was sent',
  'PUT /users/me/security/second_factor': SECURITY,
  'POST /users/me/security/app/confirm': SECURITY,
  'PUT /users/me/security/password': SECURITY,
  'DELETE /users/{id}/second_factor': SECURITY,
  'POST /users/{id}/password_reset': SECURITY,
  'POST /testing/clock': 'testing-clock.test.ts: in the one testing tenant',
  'POST /testing/start_again': 'testing-six-weeks.test.ts: in the one testing tenant',
  'POST /testing/texts': 'consent: what a phone answers is written down as consent',
  'POST /users/{id}/opt_out': 'consent.test.ts: an administrator writes down that somebody said no',
  'POST /lljs/{id}/encouragements': SPONSOR,
  'POST /commitments/{id}/acknowledge': SPONSOR,
  'PATCH /learner/commitments/{id}': SPONSOR,
  'POST /responses/{id}/scores': 'scores.test.ts: of an answer that somebody scores',
  'POST /lifts/{id}/remind': 'reminding.test.ts: of a lift that was sent',
  'POST /api_keys': 'api-keys.test.ts: made by administrators of the company only',
  'DELETE /api_keys/{id}': 'api-keys.test.ts: of a key that was made',
  'POST /mail_stops/{token}': 'mail-stops.test.ts: the link of an e-mail stops it',
  'PUT /users/me/mail_stops': 'mail-stops.test.ts: in one’s own settings',
  'POST /users/{id}/address/try_again': 'mail-stops.test.ts: an administrator tries an address again',
  'DELETE /users/me/sessions/{id}': 'auth-session-list.test.ts: a session that was signed in',
}

/** Calls that change nothing in the company. */
export const NOT_AUDITED: Record<string, string> = {
  'POST /users/pool': 'reads',
  'POST /tenants/{id}/pool/test': 'tries out',
  'POST /users/me/security/app': 'begins; nothing holds until the code is confirmed',
  'POST /lljs/{id}/schedule/preview': 'reads',
  'PATCH /notifications': 'what one has read of one’s own',
  'DELETE /notifications/{id}': 'one’s own copy of what was told',
}
