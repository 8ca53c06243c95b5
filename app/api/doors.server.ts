/**
 * Who may come in, asked before anything is said about what was sent: whoever may not do a thing, or does not see
 * what it is done to, learns nothing of how it is done. The commands of the domain ask the same again.
 */
import { getTenantPool } from '#app/auth/pool-editing.server.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { mayManageJourneys } from '#app/domain/access/journeys.ts'
import { may, mayEditUser, mayManageSubTenants, mayManageTenants } from '#app/domain/access/permissions.ts'
import { mayEditCompany, mayEditSubTenantCompany } from '#app/domain/access/tenancy.ts'
import { getAssessment } from '#app/domain/assessments/assessments.server.ts'
import { findOwnForm } from '#app/domain/assessments/filling.server.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import { requireMayCreate } from '#app/domain/journeys/choices.server.ts'
import { getJourney, requireEditable } from '#app/domain/journeys/journeys.server.ts'
import { getLift, getPrompt } from '#app/domain/lifts/lifts.server.ts'
import { findTurn } from '#app/domain/lifts/pages.server.ts'
import { getObjective } from '#app/domain/objectives/objectives.server.ts'
import { requireTesting } from '#app/domain/outbox/outbox.server.ts'
import type { Scope } from '#app/domain/scope.server.ts'
import { findTenant, insideTenant } from '#app/domain/tenants/find-tenant.server.ts'
import { findSubTenant } from '#app/domain/tenants/sub-tenants.server.ts'
import { getUser } from '#app/domain/users/users.server.ts'

type Ids = Readonly<Record<string, string>>
/** Throws what the call itself would refuse this caller with, or lets them in. */
type Door = (scope: Scope, ids: Ids) => unknown

const anybody: Door = () => {}

const role =
  (isHeld: (actor: Actor) => boolean): Door =>
  ({ actor }) => {
    if (!isHeld(actor)) throw forbidden()
  }

const manageTenants = role(mayManageTenants)
const createUsers = role((actor) => may(actor, 'users:create'))
const viewAnalytics = role((actor) => may(actor, 'analytics:view'))
const viewAudit = role((actor) => may(actor, 'audit:view'))

const numberOf = ({ id }: Ids) => Number(id)
const editJourney: Door = (scope, ids) => requireEditable(scope, numberOf(ids))
const viewJourney: Door = (scope, ids) => getJourney(scope, numberOf(ids))

const editLift: Door = async (scope, ids) =>
  requireEditable(scope, (await getLift(scope, numberOf(ids))).journey_id)

const editPrompt: Door = async (scope, ids) =>
  editLift(scope, { id: String((await getPrompt(scope, numberOf(ids))).lift_id) })

const editObjective: Door = async (scope, ids) =>
  requireEditable(scope, (await getObjective(scope, numberOf(ids))).journey_id)

const editAssessment: Door = async (scope, ids) =>
  requireEditable(scope, (await getAssessment(scope, numberOf(ids))).journey_id)

const answerAssessment: Door = (scope, { id, userId }) => findOwnForm(scope, Number(id), Number(userId))

const reopen: Door = (scope, ids) => {
  if (!may(scope.actor, 'assessments:reopen')) throw forbidden()
  return editAssessment(scope, ids)
}

const answerLift: Door = async (scope, ids) => {
  if (!(await findTurn(scope, numberOf(ids)))) throw notFound()
}

const handOver: Door = (scope, ids) => {
  if (!may(scope.actor, 'journeys:edit_author')) throw forbidden()
  return editJourney(scope, ids)
}

const duplicate: Door = async (scope, ids) => {
  await viewJourney(scope, ids)
  return requireMayCreate(scope)
}

/** An object first: what is not there for the caller is a 404, whatever their role. */
const user =
  (isAllowed: (actor: Actor, id: number) => boolean): Door =>
  async (scope, ids) => {
    await getUser(scope, numberOf(ids))
    if (!isAllowed(scope.actor, numberOf(ids))) throw forbidden()
  }

const tenant =
  (isAllowed: (actor: Actor) => boolean): Door =>
  (scope, { id = '' }) =>
    insideTenant(scope, id, async (inner) => {
      await findTenant(inner, inner.actor.tenant_id)
      if (!isAllowed(scope.actor)) throw forbidden()
    })

const subTenant =
  (isAllowed: (actor: Actor, id: string) => boolean): Door =>
  (scope, { id = '', subId = '' }) =>
    insideTenant(scope, id, async (inner) => {
      const stored = await findSubTenant(inner, subId)
      if (!isAllowed(inner.actor, stored.id)) throw forbidden()
    })

const pool: Door = (scope, { id = '' }) => getTenantPool(scope, id)

/** Of every call that reads something out of a body or a query. */
const DOORS: Record<string, Door> = {
  'GET /tenants': manageTenants,
  'POST /tenants': manageTenants,
  'GET /tenants/data': anybody,
  'PUT /tenants/{id}': tenant(mayManageTenants),
  'GET /tenants/{id}/sub_tenants': tenant(() => true),
  'POST /tenants/{id}/sub_tenants': tenant(mayManageSubTenants),
  'PUT /tenants/{id}/sub_tenants/{subId}': subTenant(mayManageSubTenants),
  'PUT /tenants/{id}/company': tenant(mayEditCompany),
  'PUT /tenants/{id}/sub_tenants/{subId}/company': subTenant(mayEditSubTenantCompany),
  'PUT /tenants/{id}/pool': pool,
  'POST /tenants/{id}/pool/test': pool,
  'GET /tenants/{id}/pool/refusals': pool,
  'PUT /pools/shared': manageTenants,

  'POST /users/me/contacts': anybody,
  'POST /users/me/contacts/confirm': anybody,
  'PUT /users/me/notification_preferences': anybody,
  'PUT /users/me/consents': anybody,
  'PUT /users/me': anybody,
  'GET /users': role((actor) => may(actor, 'users:view')),
  'POST /users': createUsers,
  'GET /users/export': role((actor) => may(actor, 'users:edit')),
  'POST /users/import': createUsers,
  'GET /users/imports': createUsers,
  'PUT /users/{id}': user(mayEditUser),
  'PATCH /users/{id}/activation': user((actor) => may(actor, 'users:edit')),
  'POST /auth/resend-welcome-email': createUsers,
  'POST /files': role(mayManageJourneys),

  'GET /lljs': role(mayManageJourneys),
  'POST /lljs': requireMayCreate,
  'POST /lljs/import': requireMayCreate,
  'PUT /lljs/{id}': editJourney,
  'POST /lljs/{id}/launch': editJourney,
  'POST /lljs/{id}/lifts': editJourney,
  'PATCH /lljs/{id}/lifts/order': editJourney,
  'GET /lljs/{id}/schedule': viewJourney,
  'GET /lljs/{id}/schedule/preview': viewJourney,
  'POST /lljs/{id}/schedule/preview': viewJourney,
  'POST /lljs/{id}/resume': editJourney,
  'GET /lljs/{id}/members': viewJourney,
  'POST /lljs/{id}/members': editJourney,
  'PATCH /lljs/{id}/members': editJourney,
  'POST /lljs/{id}/members/import': editJourney,
  'DELETE /lljs/{id}/members/{memberId}': editJourney,
  'POST /lljs/{id}/learning_objectives': editJourney,
  'GET /lljs/{id}/assessments': viewJourney,
  'POST /lljs/{id}/assessments': editJourney,
  'PUT /assessments/{id}': editAssessment,
  'DELETE /assessments/{id}': editAssessment,
  'PUT /assessments/{id}/forms/{userId}': answerAssessment,
  'POST /assessments/{id}/forms/{userId}/reopen': reopen,
  'PATCH /lljs/{id}/author': handOver,
  'POST /lljs/{id}/duplicate': duplicate,
  'PUT /learning_objectives/{id}': editObjective,
  'DELETE /learning_objectives/{id}': editObjective,
  'PUT /lifts/{id}': editLift,
  'DELETE /lifts/{id}': editLift,
  'POST /lifts/{id}/prompts': editLift,
  'PATCH /lifts/{id}/prompts/order': editLift,
  'POST /lifts/{id}/responses': answerLift,
  'POST /lifts/{id}/send_test': editLift,
  'POST /lifts/{id}/send_now': editLift,
  'GET /lifts/{id}/send_now': editLift,
  'PUT /prompts/{id}': editPrompt,
  'DELETE /prompts/{id}': editPrompt,

  'GET /unknown_messages': role(mayManageJourneys),
  'GET /unknown_messages/send_again': role(mayManageJourneys),
  'POST /unknown_messages/decisions': role(mayManageJourneys),

  'GET /learner/assessments': anybody,
  'GET /analytics/overview': viewAnalytics,
  'GET /analytics/by_user': viewAnalytics,
  'GET /analytics/by_lift': viewAnalytics,
  'GET /lifts/{id}/responses': (scope, ids) => getLift(scope, numberOf(ids)),
  'GET /lljs/{id}/learners/{userId}/responses': viewJourney,
  'GET /notifications': anybody,
  'PATCH /notifications': anybody,
  'GET /audit_events': viewAudit,
  'GET /audit_events/export': viewAudit,
  'GET /testing/outbox': requireTesting,
  'POST /testing/texts': requireTesting,
}

/** `call` as the document of the API names it. */
export async function askAtDoor(scope: Scope, call: string, ids: Ids): Promise<void> {
  await DOORS[call]?.(scope, ids)
}
