/** A guard for each permission, run before the body is read, so that a refused caller learns nothing. Returns what it loaded. */
import { getTenantPool } from '#app/auth/pools/pool-editing.server.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { mayMakeApiKeys, mayManageApiKeys } from '#app/domain/access/api-keys.ts'
import { mayManageJourneys } from '#app/domain/access/journeys.ts'
import { may, mayEditUser, mayManageSubTenants, mayManageTenants } from '#app/domain/access/permissions.ts'
import { mayEditCompany, mayEditSubTenantCompany } from '#app/domain/access/tenancy.ts'
import { getAssessment } from '#app/domain/assessments/assessments.server.ts'
import { findOwnForm } from '#app/domain/assessments/filling.server.ts'
import { forbidden, notFound } from '#app/domain/errors.ts'
import { requireMayCreate } from '#app/domain/journeys/choices.server.ts'
import { getJourney } from '#app/domain/journeys/journeys.server.ts'
import { findOwnCommitment } from '#app/domain/lifts/commitments.server.ts'
import { findOccurrence } from '#app/domain/lifts/find-occurrence.server.ts'
import { getLift, getPrompt } from '#app/domain/lifts/lifts.server.ts'
import { getObjective } from '#app/domain/objectives/objectives.server.ts'
import { requireTesting } from '#app/domain/outbox/outbox.server.ts'
import { findScorable } from '#app/domain/responses/scoring.server.ts'
import { asParticipant, type Scope, tenantWide } from '#app/domain/scope/scope.server.ts'
import { requireSponsoredCommitment } from '#app/domain/sponsors/saying.server.ts'
import { findLearner, requireSponsored } from '#app/domain/sponsors/sponsored.server.ts'
import { findTenant, insideTenant } from '#app/domain/tenants/find-tenant.server.ts'
import { findSubTenantToRestore, findTenantToRestore } from '#app/domain/tenants/restoring.server.ts'
import { findSubTenant } from '#app/domain/tenants/sub-tenants.server.ts'
import { getTenant } from '#app/domain/tenants/tenants.server.ts'
import { getUserGroup } from '#app/domain/users/groups/user-groups.server.ts'
import { getUser } from '#app/domain/users/users.server.ts'
import type { May } from './contract/may.ts'

const NOT_BY_KEY = 'An API key cannot change administrators.'

type NumericRef = { id: number }
type LearnerRef = { id: number; userId: number }
type TenantRef = { id: string }
type SubTenantRef = { id: string; subId: string }

const role =
  (isHeld: (actor: Actor) => boolean) =>
  async ({ actor }: Scope): Promise<void> => {
    if (!isHeld(actor)) throw forbidden()
  }

/** Looks up the person first: one who is not visible to the caller is a 404, whatever the caller's role. */
const user =
  (isAllowed: (actor: Actor, id: number) => boolean) =>
  async (scope: Scope, { id }: NumericRef) => {
    const found = await getUser(scope, id)
    if (!isAllowed(scope.actor, id)) throw forbidden()
    return found
  }

/** API keys cannot change administrators, and so not their own makers either. */
const changedUser =
  (isAllowed: (actor: Actor, id: number) => boolean) => async (scope: Scope, ids: NumericRef) => {
    const found = await user(isAllowed)(scope, ids)
    if (scope.actor.api_key && (ids.id === scope.actor.user_id || (await isAdministrator(scope, ids.id))))
      throw forbidden(NOT_BY_KEY)
    return found
  }

/** Looks tenant-wide: a key limited to one sub-tenant does not see the roles of the whole tenant. */
const isAdministrator = (scope: Scope, id: number): Promise<boolean> =>
  tenantWide(scope, async ({ db }) => {
    const held = db.selectFrom('user_general_roles').select('id').where('user_id', '=', id)
    return (await held.where('role', '=', 'admin').limit(1).execute()).length > 0
  })

/** Checks the role first: people who cannot use groups do not learn which exist. */
const userGroup =
  (isHeld: (actor: Actor) => boolean) =>
  async (scope: Scope, { id }: NumericRef) => {
    await role(isHeld)(scope)
    return getUserGroup(scope, id)
  }

const tenant =
  (isAllowed: (actor: Actor) => boolean) =>
  (scope: Scope, { id }: TenantRef): Promise<void> =>
    insideTenant(scope, id, async (inner) => {
      await findTenant(inner, inner.actor.tenant_id)
      if (!isAllowed(scope.actor)) throw forbidden()
    })

const subTenant =
  (isAllowed: (actor: Actor, id: string) => boolean) =>
  (scope: Scope, { id, subId }: SubTenantRef): Promise<void> =>
    insideTenant(scope, id, async (inner) => {
      const stored = await findSubTenant(inner, subId)
      if (!isAllowed(inner.actor, stored.id)) throw forbidden()
    })

/** Runs outside any tenant: row-level security decides which tenants the caller sees. */
const wholeTenant = async (scope: Scope, { id }: TenantRef): Promise<void> => {
  await findTenant(scope, id)
  if (!mayManageTenants(scope.actor)) throw forbidden()
}

const journey = (scope: Scope, { id }: NumericRef) => getJourney(scope, id)
const lift = (scope: Scope, { id }: NumericRef) => getLift(scope, id)

const prompt = async (scope: Scope, { id }: NumericRef) => {
  const found = await getPrompt(scope, id)
  await getLift(scope, found.lift_id)
  return found
}

const objective = async (scope: Scope, { id }: NumericRef) => {
  const found = await getObjective(scope, id)
  await getJourney(scope, found.journey_id)
  return found
}

const assessment = async (scope: Scope, { id }: NumericRef) => {
  const found = await getAssessment(scope, id)
  await getJourney(scope, found.journey_id)
  return found
}

export const GUARDS = {
  anyone: async () => {},
  'signed in': async () => {},

  'manage tenants': role(mayManageTenants),
  'view tenant': (scope: Scope, { id }: TenantRef) => getTenant(scope, id),
  'view sub-tenants': tenant(() => true),
  'manage tenant': wholeTenant,
  'restore tenant': (scope: Scope, { id }: TenantRef) => findTenantToRestore(scope, id),
  'edit company': tenant(mayEditCompany),
  'manage sub-tenants': tenant(mayManageSubTenants),
  'view sub-tenant': subTenant(() => true),
  'manage sub-tenant': subTenant(mayManageSubTenants),
  'restore sub-tenant': (scope: Scope, { id, subId }: SubTenantRef) =>
    insideTenant(scope, id, (inner) => findSubTenantToRestore(inner, subId)),
  'edit sub-tenant company': subTenant(mayEditSubTenantCompany),
  'manage pool': (scope: Scope, { id }: TenantRef) => getTenantPool(scope, id),

  'view users': role((actor) => may(actor, 'users:view')),
  'create users': role((actor) => may(actor, 'users:create')),
  'edit users': role((actor) => may(actor, 'users:edit')),
  'view user': user(() => true),
  'edit user': changedUser(mayEditUser),
  'manage user': changedUser((actor) => may(actor, 'users:edit')),
  'view user group': userGroup(mayManageJourneys),
  'edit user group': userGroup((actor) => may(actor, 'users:edit')),
  'read personal data': async (scope: Scope, { id }: NumericRef) => {
    // One's own account can be read from any sub-tenant.
    if (id !== scope.actor.user_id) await getUser(scope, id)
  },

  'view journeys': role(mayManageJourneys),
  'create journeys': requireMayCreate,
  'edit journey': journey,
  'hand over journey': (scope: Scope, ref: NumericRef) => {
    if (!may(scope.actor, 'journeys:edit_author')) throw forbidden()
    return journey(scope, ref)
  },
  'duplicate journey': async (scope: Scope, ref: NumericRef) => {
    await journey(scope, ref)
    await requireMayCreate(scope)
  },
  'edit lift': lift,
  'answer lift': async (scope: Scope, { id }: NumericRef) => {
    if (!(await findOccurrence(scope, id))) throw notFound()
  },
  'sponsor journey': (scope: Scope, { id }: NumericRef) =>
    asParticipant(scope, (own) => requireSponsored(own, id)),
  'sponsor learner': (scope: Scope, { id, userId }: LearnerRef) =>
    asParticipant(scope, (own) => findLearner(own, id, userId)),
  'sponsor commitment': (scope: Scope, { id }: NumericRef) => requireSponsoredCommitment(scope, id),
  'score response': (scope: Scope, { id }: NumericRef) => findScorable(scope, id),
  'keep commitment': (scope: Scope, { id }: NumericRef) => findOwnCommitment(scope, id),
  'edit prompt': prompt,
  'edit objective': objective,
  'edit assessment': assessment,
  'reopen assessment': (scope: Scope, ref: NumericRef) => {
    if (!may(scope.actor, 'assessments:reopen')) throw forbidden()
    return assessment(scope, ref)
  },
  'fill in assessment': (scope: Scope, { id, userId }: NumericRef & { userId: number }) =>
    findOwnForm(scope, id, userId),

  'view analytics': role((actor) => may(actor, 'analytics:view')),
  'preview messages': role((actor) => may(actor, 'company:view')),
  'view audit log': role((actor) => may(actor, 'audit:view')),
  'manage API keys': role(mayManageApiKeys),
  'create API keys': role(mayMakeApiKeys),
  'use testing': async (scope: Scope) => requireTesting(scope),
} satisfies Record<May, (scope: Scope, ids: never) => Promise<unknown>>

export type FoundBy<M extends May> = Awaited<ReturnType<(typeof GUARDS)[M]>>
