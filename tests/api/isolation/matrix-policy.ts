/**
 * Who gets which answer from every call, written from the specification (section 6) and SECURITY.md, and not from app/:
 * the API is tested against it. A call without a row here fails the test.
 */
import type { Where, Who } from './matrix-people.ts'

/** The object that a path names; `none`: nothing, or the caller's own place. */
export type Kind =
  | 'none'
  /** The caller, by their own id. */
  | 'self'
  | 'tenant'
  | 'sub_tenant'
  | 'user'
  | 'journey'
  | 'lift'
  | 'prompt'
  | 'objective'
  | 'assessment'
  | 'member'
  | 'notification'
  | 'import'
  | 'export'
  | 'file'
  | 'session'
  | 'api_key'
  | 'user_group'

export type Ids = Record<Exclude<Kind, 'none' | 'self'>, string>

export type Row = {
  kind: Kind
  /** Who is allowed, if they can see the object. */
  may: readonly Who[]
  /** The status for those who are allowed. */
  ok: number
  /** The same for a running journey. */
  running?: number
  /** The status for those who see the object but are not allowed; objects that they do not see answer 404. */
  denied?: number
  /** The role is checked before the object, so people without the role do not learn whether it exists. */
  asksRoleFirst?: boolean
  /** The body; `ids` are those of the place that the path names. */
  body?: object | ((ids: Ids) => object)
  /** Sent as form data. */
  form?: Record<string, string | File>
  /** People who are allowed before accepting the terms, or choosing a sub-tenant. */
  early?: readonly Who[]
  /** Exceptions, each with a reason. */
  but?: Partial<Record<Who | `${Who} ${Where}`, number>>
}

const ALL: readonly Who[] = [
  'user',
  'author',
  'admin',
  'sub_admin',
  'foreign_admin',
  'super_home',
  'super_inside',
]
const ADMINS: readonly Who[] = ['admin', 'sub_admin', 'foreign_admin', 'super_home', 'super_inside']
const AUTHORS: readonly Who[] = ['author', ...ADMINS]
/** Whole tenants and their sub-tenants are managed from outside sub-tenants. */
const MIDDLE: readonly Who[] = ['admin', 'foreign_admin', 'super_home', 'super_inside']
const OPERATOR: readonly Who[] = ['super_home']
const NOBODY: readonly Who[] = []
/** People who have yet to accept the terms, or to choose a sub-tenant. */
const AT_THE_DOOR: readonly Who[] = ['newcomer', 'chooser']

const everybody: Row = { kind: 'none', may: ALL, ok: 200 }
/** About the caller: the terms are accepted there, and it is the same in every sub-tenant. */
const oneself: Row = { ...everybody, early: AT_THE_DOOR }
/** Calls without a token, the same for everyone. */
const anyone: Row = {
  ...everybody,
  but: {
    ...{ anonymous: 200, disabled: 200, inactive_admin: 200, newcomer: 200, chooser: 200 },
    ...{ key_revoked: 200, key_orphaned: 200 },
  },
}
/** An unknown link: without a token it is a path that does not exist. */
const unknownLink: Row = { ...oneself, ok: 404, but: { newcomer: 404, chooser: 404 } }
const admins: Row = { kind: 'none', may: ADMINS, ok: 200 }
/** Authors see and change the journeys of which they are the author. */
const journey: Row = { kind: 'journey', may: AUTHORS, ok: 200, but: { 'author sibling': 403 } }
const lift: Row = { ...journey, kind: 'lift' }
/** For paths below /lljs the role is checked first. */
const export_: Row = {
  ...{ kind: 'export', may: AUTHORS, ok: 404, asksRoleFirst: true },
  but: { 'author own': 200, 'admin sibling': 200, 'foreign_admin foreign': 200 },
}
const llj: Row = { ...journey, asksRoleFirst: true }
const prompt: Row = { ...journey, kind: 'prompt' }
const objective: Row = { ...journey, kind: 'objective' }
const assessment: Row = { ...journey, kind: 'assessment' }
const user: Row = { kind: 'user', may: ADMINS, ok: 200 }
const userGroup: Row = { kind: 'user_group', may: ADMINS, ok: 200, asksRoleFirst: true }
const pool: Row = { kind: 'tenant', may: OPERATOR, ok: 200, asksRoleFirst: true }
const subTenant: Row = { kind: 'sub_tenant', may: MIDDLE, ok: 200 }
const ENDPOINTS = {
  authorization_endpoint: 'https://idp.example/authorize',
  token_endpoint: 'https://idp.example/token',
  jwks_uri: 'https://idp.example/keys',
}
const CSV = () => new File(['email,first_name\nmatrix@import.example,Matrix'], 'people.csv')

const testing: Row = { kind: 'none', may: ADMINS, ok: 404, but: { super_home: 403 } }

/** The keys are calls, followed by ` of …` for a special case. */
export const POLICY: Record<string, Row> = {
  'GET /users/pool': anyone,
  'POST /users/pool': { ...anyone, body: { email: 'a@b.example' } },

  'GET /tenants': { kind: 'none', may: OPERATOR, ok: 200 },
  'POST /tenants': { kind: 'none', may: OPERATOR, ok: 201, body: { name: 'Matrix' } },
  'GET /tenants/timezones': { ...everybody, early: AT_THE_DOOR },
  'GET /tenants/data': everybody,
  'GET /tenants/tenant/sub_tenants/data': { ...everybody, early: ['chooser'] },
  'GET /tenants/{id}': { kind: 'tenant', may: ALL, ok: 200 },
  'PUT /tenants/{id}': { kind: 'tenant', may: OPERATOR, ok: 200, body: { plan: 'Big' } },
  'DELETE /tenants/{id}': { kind: 'tenant', may: OPERATOR, ok: 200 },
  // Nothing is deleted that could be restored.
  'POST /tenants/{id}/restore': { kind: 'tenant', may: OPERATOR, ok: 409 },
  'PUT /tenants/{id}/company': { kind: 'tenant', may: MIDDLE, ok: 200, body: { timezone: 'UTC' } },
  'GET /tenants/{id}/sub_tenants': { kind: 'tenant', may: ALL, ok: 200 },
  // Globex is not a Multi Tenant.
  'POST /tenants/{id}/sub_tenants': {
    kind: 'tenant',
    may: MIDDLE,
    ok: 201,
    body: { name: 'Matrix' },
    but: { 'foreign_admin foreign': 409, 'super_home foreign': 409 },
  },
  'GET /tenants/{id}/sub_tenants/{subId}': { ...subTenant, may: ALL },
  'PUT /tenants/{id}/sub_tenants/{subId}': { ...subTenant, body: { timezone: 'UTC' } },
  'DELETE /tenants/{id}/sub_tenants/{subId}': subTenant,
  'POST /tenants/{id}/sub_tenants/{subId}/restore': { ...subTenant, ok: 409 },
  // A sub-tenant's administrator manages its own settings.
  'PUT /tenants/{id}/sub_tenants/{subId}/company': {
    ...subTenant,
    may: ADMINS,
    body: { timezone: 'UTC' },
  },

  'GET /tenants/{id}/pool': pool,
  'PUT /tenants/{id}/pool': {
    ...pool,
    body: { kind: 'oidc', issuer: 'https://idp.example', client_id: 'matrix', ...ENDPOINTS },
  },
  'GET /tenants/{id}/pool/refusals': pool,
  'POST /tenants/{id}/pool/test': { ...pool, body: { kind: 'embedded' } },

  'GET /pools/shared': { kind: 'none', may: OPERATOR, ok: 200 },
  'PUT /pools/shared': { kind: 'none', may: OPERATOR, ok: 200, body: {} },

  'GET /users/me/sessions': oneself,
  'DELETE /users/me/sessions': oneself,
  'DELETE /users/me/sessions/{id}': {
    kind: 'session',
    may: NOBODY,
    ok: 200,
    denied: 404,
    early: AT_THE_DOOR,
  },
  // The people of the matrix sign in at another provider, and change these things there.
  'GET /users/me/security': oneself,
  'PUT /users/me/security/second_factor': { ...oneself, ok: 409, body: { preferred: null, password: 'x' } },
  'POST /users/me/security/app': { ...oneself, ok: 409, body: { password: 'x' } },
  'GET /users/me/security/app': { ...oneself, ok: 409 },
  'POST /users/me/security/app/confirm': { ...oneself, ok: 409, body: { code: '123456' } },
  'PUT /users/me/security/password': { ...oneself, ok: 409, body: { password: 'x', new_password: 'y' } },
  'GET /users/me/contacts': oneself,
  'POST /users/me/contacts': {
    ...oneself,
    ok: 202,
    body: { kind: 'phone', value: '+436641234567', password: 'its-own-field' },
  },
  'POST /users/me/contacts/confirm': { ...oneself, ok: 422, body: { kind: 'phone', code: '123456' } },
  'GET /users/{id}/data_export': { ...user },
  // Personal data is found in whichever sub-tenant the caller is.
  'GET /users/{id}/data_export of oneself': {
    kind: 'self',
    may: ALL,
    ok: 200,
    early: ['chooser'],
    but: { super_inside: 200, super_part: 200 },
  },
  // An erasure covers all sub-tenants of the company.
  'POST /users/{id}/erasure': { ...user, may: MIDDLE, body: {} },
  // Nobody here has a phone number.
  'POST /users/{id}/opt_out': { ...user, may: ADMINS, ok: 422, body: {} },
  'POST /files': {
    kind: 'none',
    may: AUTHORS,
    ok: 201,
    form: { file: new File(['a,b\n1,2'], 'table.csv', { type: 'text/csv' }) },
  },

  'GET /users/me': { ...everybody, early: AT_THE_DOOR },
  'PUT /users/me': { ...everybody, early: AT_THE_DOOR, body: { job_title: 'Tester' } },
  'GET /users/me/consents': oneself,
  // Nobody here has a phone number on file.
  'PUT /users/me/consents': { ...oneself, ok: 422, body: { sms_opt_in: false } },
  'GET /users/me/notification_preferences': oneself,
  'PUT /users/me/notification_preferences': { ...oneself, body: { muted: ['info'] } },
  'GET /users': everybody,
  'POST /users': {
    ...admins,
    ok: 201,
    body: { first_name: 'M', email: 'matrix@people.example', user_general_roles: [{ role: 'user' }] },
    // Inside a sub-tenant, roles are given for that sub-tenant.
    but: { sub_admin: 422 },
  },
  'GET /users/export': admins,
  'POST /users/import': { ...admins, ok: 202, form: { file: CSV(), dry_run: 'true' } },
  'GET /users/imports': admins,
  'GET /users/imports/{id}': { kind: 'import', may: ADMINS, ok: 200, asksRoleFirst: true },
  'POST /users/imports/{id}/import': { kind: 'import', may: ADMINS, ok: 202, asksRoleFirst: true },
  'GET /users/imports/{id}/result': { kind: 'import', may: ADMINS, ok: 200, asksRoleFirst: true },
  'GET /users/{id}': { ...user, may: ALL },
  'PUT /users/{id}': { ...user, body: { job_title: 'Tester' } },
  // A super admin who impersonates is not a user of the company.
  'GET /users/{id} of oneself': { kind: 'self', may: ALL, ok: 200 },
  'PUT /users/{id} of oneself': { kind: 'self', may: ALL, ok: 200, body: { job_title: 'Tester' } },
  'PUT /users/{id} of oneself, by more roles': {
    kind: 'self',
    may: NOBODY,
    ok: 200,
    body: { user_general_roles: [{ role: 'admin' }] },
    but: { admin: 200, foreign_admin: 200, super_home: 200, sub_admin: 422 },
  },
  'PATCH /users/{id}/activation of oneself': {
    kind: 'self',
    may: ADMINS,
    ok: 409,
    body: { activation_status: 'disabled' },
  },
  'DELETE /users/{id} of oneself': { kind: 'self', may: ADMINS, ok: 409 },
  'DELETE /users/{id}/second_factor': { ...user, ok: 409 },
  'DELETE /users/{id}/roles': { ...user, ok: 409 },
  'POST /users/{id}/password_reset': { ...user, ok: 409 },
  'PATCH /users/{id}/activation': { ...user, body: { activation_status: 'disabled' } },
  'DELETE /users/{id}': { ...user, ok: 409 },
  'POST /auth/resend-welcome-email/{id}': { ...user, asksRoleFirst: true, body: {} },
  'POST /auth/resend-welcome-email': { ...admins, body: { user_ids: [999_999_999] } },

  'GET /files/{tenantId}/{fileId}': { kind: 'file', may: ADMINS, ok: 200, denied: 404, early: AT_THE_DOOR },

  'GET /lljs': { kind: 'none', may: AUTHORS, ok: 200 },
  // Authors create drafts only if their company allows it.
  'POST /lljs': { ...admins, ok: 201, body: { name: 'Matrix' } },
  'GET /lljs/data': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /lljs/{id}': llj,
  'PUT /lljs/{id}': { ...llj, body: { description: 'x', lock_version: 0 } },
  'DELETE /lljs/{id}': llj,
  'POST /lljs/{id}/lifts': { ...llj, ok: 201, body: { title: 'Matrix' } },
  'GET /lljs/{id}/schedule': llj,
  'GET /lljs/{id}/lifts': llj,
  'GET /lljs/{id}/members': llj,
  'POST /lljs/{id}/members': { ...llj, ok: 201, body: (ids) => ({ user_ids: [Number(ids.user)] }) },
  'PATCH /lljs/{id}/members': {
    ...llj,
    body: (ids) => ({ member_ids: [Number(ids.member)], exclude_data: true }),
  },
  'POST /lljs/{id}/members/import': { ...llj, body: { csv: 'email\nnobody@people.example' } },
  'GET /lljs/{id}/sponsors': llj,
  'PATCH /lljs/{id}/lifts/order': { ...llj, body: (ids) => ({ lift_ids: [Number(ids.lift)] }) },
  'GET /lljs/{id}/file': llj,
  'POST /lljs/import': { ...admins, body: { text: 'x' } },
  'PATCH /lljs/{id}/author': {
    kind: 'journey',
    may: ADMINS,
    ok: 422,
    asksRoleFirst: true,
    // The person who is named is not an author.
    body: (ids) => ({ author_id: Number(ids.user) }),
  },
  'POST /lljs/{id}/duplicate': {
    ...llj,
    may: ADMINS,
    ok: 201,
    body: {},
    but: { 'author foreign': 404, 'author missing': 404 },
  },
  // The draft is not ready to launch, and is in none of the states that these calls leave.
  'POST /lljs/{id}/launch': { ...llj, ok: 422, body: {} },
  'POST /lljs/{id}/pause': { ...llj, ok: 409, body: {} },
  'POST /lljs/{id}/resume': { ...llj, ok: 409, body: {} },
  'POST /lljs/{id}/complete': { ...llj, ok: 409, body: {} },
  'POST /lljs/{id}/archive': { ...llj, body: {} },
  'GET /lljs/{id}/schedule/preview': llj,
  'POST /lljs/{id}/schedule/preview': { ...llj, body: {} },
  'DELETE /lljs/{id}/members/{memberId}': { ...llj, kind: 'member' },
  'GET /lljs/{id}/learning_objectives': llj,
  'POST /lljs/{id}/learning_objectives': { ...llj, ok: 201, body: { code: 'M', text: 'Matrix' } },
  'GET /lljs/{id}/assessments': llj,
  'POST /lljs/{id}/assessments': {
    ...llj,
    ok: 201,
    body: {
      name: 'Matrix',
      phase: 'pre',
      raters: ['self'],
      opens: { kind: 'offset', from: 'start', days: 1 },
    },
  },
  // For people without a tie to the learner; assessments.test.ts covers learners and sponsors.
  'GET /lljs/{id}/assessments/{userId}': llj,
  'PUT /assessments/{id}': { ...assessment, body: { name: 'Matrix', lock_version: 0 } },
  'DELETE /assessments/{id}': assessment,
  // For the raters of the learner; there are none here.
  'PUT /assessments/{id}/forms/{userId}': {
    kind: 'assessment',
    may: NOBODY,
    ok: 200,
    denied: 404,
    body: { submit: false },
  },
  'POST /assessments/{id}/forms/{userId}/reopen': {
    ...assessment,
    may: ADMINS,
    asksRoleFirst: true,
    body: { reason: 'Matrix' },
  },
  'GET /learner/assessments': everybody,
  'PUT /learning_objectives/{id}': { ...objective, body: { code: 'N', text: 'Matrix', lock_version: 0 } },
  'DELETE /learning_objectives/{id}': objective,
  'GET /lifts/{id}': lift,
  'PUT /lifts/{id}': { ...lift, body: { title: 'Matrix', lock_version: 1 } },
  'DELETE /lifts/{id}': lift,
  'POST /lifts/{id}/prompts': { ...lift, ok: 201, body: { kind: 'short_text', text: 'Matrix?' } },
  'PUT /prompts/{id}': { ...prompt, body: { kind: 'short_text', text: 'Matrix?' } },
  'DELETE /prompts/{id}': prompt,
  'GET /learner/lljs': everybody,
  // For participants; there are none here.
  'GET /learner/lljs/{id}': { kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
  'GET /learner/todo': everybody,
  'GET /today': everybody,
  // For participants, and for people who can preview the page; there are no participants here.
  'GET /lifts/{id}/page': { ...lift, denied: 404, but: { 'author sibling': 404 } },
  'GET /lifts/{id}/test_page': { ...lift, denied: 404, but: { 'author sibling': 404 } },
  'POST /lifts/{id}/responses': { kind: 'lift', may: NOBODY, ok: 200, denied: 404, body: { responses: [] } },
  'POST /lifts/{id}/send_test': { ...lift, body: { phones: ['+436641234567'] } },
  'GET /lifts/{id}/send_now': lift,
  // Nothing is sent for a draft.
  'POST /lifts/{id}/send_now': { ...lift, ok: 409, body: { member_ids: 'pending' } },
  'GET /lifts/unanswered': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /lifts/{id}/remind': { ...lift, ok: 409, running: 200 },
  'POST /lifts/{id}/remind': { ...lift, ok: 409 },
  'PATCH /lifts/{id}/prompts/order': { ...lift, body: (ids) => ({ prompt_ids: [Number(ids.prompt)] }) },

  'GET /unknown_messages': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /unknown_messages/send_again': { kind: 'none', may: AUTHORS, ok: 200 },
  'POST /unknown_messages/decisions': {
    kind: 'none',
    may: AUTHORS,
    ok: 200,
    body: { decision: 'arrived', message_ids: 'all' },
  },

  // Sponsors read only their own learners: matrix-holders and sponsors.test.ts cover who that is.
  'GET /sponsors_journeys': everybody,
  'GET /sponsors_journeys/brief': everybody,
  'GET /sponsors_journeys/{id}': { kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
  'GET /sponsors_journeys/{id}/learners/{userId}': { kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
  'POST /lljs/{id}/encouragements': {
    ...{ kind: 'journey', may: NOBODY, ok: 201, denied: 404 },
    body: (ids) => ({ user_id: Number(ids.user), text: 'Well done' }),
  },
  'POST /commitments/{id}/acknowledge': { kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
  'GET /learner/commitments': everybody,
  'PATCH /learner/commitments/{id}': {
    ...{ kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
    body: { state: 'done' },
  },
  'GET /lifts/{id}/responses': lift,
  'GET /lljs/{id}/learners/{userId}/responses': llj,
  // Nobody here gave an answer; scores.test.ts covers who can score one.
  'GET /responses/{id}': { kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
  'POST /responses/{id}/scores': {
    ...{ kind: 'journey', may: NOBODY, ok: 200, denied: 404 },
    body: { points: 1 },
  },
  'GET /analytics/overview': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/by_user': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/by_lift': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/filters': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/explain': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/trend': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/timing': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/failures': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/pictures': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /lljs/{id}/grid': llj,
  'GET /analytics/assessments': { kind: 'none', may: AUTHORS, ok: 200 },
  'GET /analytics/time_to_answer': { kind: 'none', may: AUTHORS, ok: 200 },

  'POST /analytics/exports': {
    ...{ kind: 'none', may: AUTHORS, ok: 202 },
    body: { table: 'by_lift', format: 'csv' },
  },
  'POST /lljs/{id}/statements': { ...llj, ok: 202, body: {} },
  'GET /exports': { kind: 'none', may: AUTHORS, ok: 200 },
  // Exports of the author of each place; nobody else can see them.
  'GET /exports/{id}': export_,
  'GET /exports/{id}/file': export_,

  'GET /notifications': everybody,
  'PATCH /notifications': { ...everybody, body: { notification_ids: [], has_read: true } },
  // Own: the plain user's notification; nobody else can see it.
  'DELETE /notifications/{id}': {
    kind: 'notification',
    may: NOBODY,
    ok: 200,
    denied: 404,
    but: { 'user own': 200, 'sponsor own': 404, 'learner own': 404 },
  },
  // These tokens are not valid links.
  'GET /mail_stops/{token}': unknownLink,
  'POST /mail_stops/{token}': { ...unknownLink, body: { stop: 'all' } },
  'GET /users/me/mail_stops': oneself,
  'PUT /users/me/mail_stops': { ...oneself, body: { all: false, journey_ids: [] } },
  'GET /users/{id}/address': user,
  'POST /users/{id}/address/try_again': { ...user, ok: 409 },
  'GET /api_keys': admins,
  // Super admins create no keys, since their rights here end with the impersonation.
  'POST /api_keys': {
    ...{ kind: 'none', may: ADMINS, ok: 201, body: { name: 'Matrix', role: 'author' } },
    but: { super_home: 403, super_inside: 403, super_part: 403 },
  },
  'GET /api_keys/{id}': { kind: 'api_key', may: ADMINS, ok: 200, asksRoleFirst: true },
  'DELETE /api_keys/{id}': { kind: 'api_key', may: ADMINS, ok: 200, asksRoleFirst: true },
  'GET /user_groups': { ...admins, may: AUTHORS },
  'POST /user_groups': { ...admins, ok: 201, body: { name: 'Matrix' } },
  'GET /user_groups/{id}': { ...userGroup, may: AUTHORS },
  'PUT /user_groups/{id}': { ...userGroup, body: { name: 'Matrix', lock_version: 0 } },
  'PATCH /user_groups/{id}/users': {
    ...userGroup,
    body: (ids) => ({ remove_user_ids: [Number(ids.user)] }),
  },
  'DELETE /user_groups/{id}': userGroup,
  'GET /message_previews': admins,
  'GET /message_previews/{kind}': admins,
  // Only in the testing tenant.
  'GET /testing/outbox': testing,
  'GET /testing/handsets': testing,
  'POST /testing/start_again': { ...testing, body: { version: 0 } },
  'POST /testing/texts': { ...testing, body: { from: '+14155550100', text: 'STOP' } },
  'GET /testing/clock': testing,
  'POST /testing/clock': { ...testing, body: { by: 'day', version: 0 } },
  'GET /audit_events': admins,
  'GET /audit_events/export': admins,
}
