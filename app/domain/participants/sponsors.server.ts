/** Which sponsor each learner of a journey has. */
import { type RawBuilder, sql } from 'kysely'
import { record } from '../audit/audit.server.ts'
import { invalid } from '../errors.ts'
import type { Scope } from '../scope/scope.server.ts'
import { holdOpenAccounts } from '../users/groups/choosing.server.ts'
import { welcomingNew } from './welcome-sponsors.server.ts'

/** Marks people who are sponsors only because a learner was assigned to them. */
const CHOSEN = 'choice'

export async function sponsorOf(scope: Scope, journeyId: number, userId: number): Promise<number> {
  const { actor, db } = scope
  const [user] = await holdOpenAccounts(scope, [userId])
  if (!user) throw invalid({ sponsor_user_id: ['This person does not exist.'] })
  const { id } = await db
    .insertInto('members')
    .values({
      tenant_id: actor.tenant_id,
      journey_id: journeyId,
      user_id: userId,
      role: 'sponsor',
      source: CHOSEN,
    })
    .onConflict((clash) =>
      clash.columns(['tenant_id', 'journey_id', 'user_id', 'role']).doUpdateSet((eb) => ({
        left_at: null,
        source: eb
          .case()
          .when('members.state', '=', 'withdrawn')
          .then(CHOSEN)
          .else(eb.ref('members.source'))
          .end(),
        state: eb
          .case()
          .when('members.state', '=', 'withdrawn')
          .then('invited')
          .else(eb.ref('members.state'))
          .end(),
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const assignSponsor = (
  scope: Scope,
  journeyId: number,
  memberIds: readonly number[],
  sponsorId: number | null,
): Promise<void> =>
  sponsorId === null
    ? assign(scope, journeyId, memberIds, null)
    : welcomingNew(scope, journeyId, () => assign(scope, journeyId, memberIds, sponsorId))

async function assign(
  { db }: Scope,
  journeyId: number,
  memberIds: readonly number[],
  sponsorId: number | null,
): Promise<void> {
  const areMeant = sql<boolean>`id = any(${[...memberIds]}::bigint[])`
  if (sponsorId !== null) {
    const sponsor = await db
      .selectFrom('members')
      .select('user_id')
      .where('id', '=', sponsorId)
      .where('journey_id', '=', journeyId)
      .where('role', '=', 'sponsor')
      .where('state', '!=', 'withdrawn')
      .executeTakeFirst()
    if (!sponsor) throw invalid({ sponsor_id: ['This person is not a sponsor of the journey.'] })
    const own = await db
      .selectFrom('members')
      .select('id')
      .where(areMeant)
      .where('user_id', '=', sponsor.user_id)
      .executeTakeFirst()
    if (own) throw invalid({ sponsor_id: ['A person cannot be their own sponsor.'] })
  }
  const before = await db.selectFrom('members').select('sponsor_id').where(areMeant).execute()
  const changed = await db
    .updateTable('members')
    .set({ sponsor_id: sponsorId })
    .where(areMeant)
    .where('journey_id', '=', journeyId)
    .where('role', '=', 'learner')
    .returning('id')
    .execute()
  if (changed.length < memberIds.length) throw invalid({ sponsor_id: ['Only learners have a sponsor.'] })
  await dismiss(
    db,
    before.flatMap(({ sponsor_id }) => sponsor_id ?? []),
  )
}

/** People who are added, brought back or given another role stay sponsors even without learners. */
export async function keepChosen(
  { db }: Scope,
  which: RawBuilder<unknown>,
  source = 'manual',
): Promise<void> {
  await sql`update members set source = ${source} where source = ${CHOSEN} and ${which}`.execute(db)
}

/** Removes sponsors who were only chosen for a learner and have none left; being chosen again brings them back. */
export async function dismiss(db: Scope['db'], ids: readonly number[]): Promise<void> {
  const isNeedless = sql`s.id = any(${[...ids]}::bigint[]) and s.source = ${CHOSEN} and s.state <> 'withdrawn'
    and not exists (select from members l where l.tenant_id = s.tenant_id and l.sponsor_id = s.id)`
  await sql`delete from members s using journeys j
    where j.tenant_id = s.tenant_id and j.id = s.journey_id and j.status = 'draft' and ${isNeedless}`.execute(
    db,
  )
  await sql`update members s set state = 'withdrawn', left_at = scope_now() where ${isNeedless}`.execute(db)
}

/** The same for many learners with different sponsors. The caller has checked who can be their sponsor. */
export async function assignSponsors(
  scope: Scope,
  journeyId: number,
  pairs: readonly { member: number; sponsor: number }[],
): Promise<void> {
  if (pairs.length === 0) return
  const learners = pairs.map((one) => one.member)
  const before = await scope.db
    .selectFrom('members')
    .select('sponsor_id')
    .distinct()
    .where(sql<boolean>`id = any(${learners}::bigint[])`)
    .where('sponsor_id', 'is not', null)
    .execute()
  await welcomingNew(scope, journeyId, () =>
    sql`
    update members m set sponsor_id = new.sponsor
    from unnest(${learners}::bigint[], ${pairs.map((one) => one.sponsor)}::bigint[])
      as new (member, sponsor)
    where m.id = new.member and m.journey_id = ${journeyId} and m.role = 'learner'
      and m.sponsor_id is distinct from new.sponsor`.execute(scope.db),
  )
  await dismiss(
    scope.db,
    before.flatMap(({ sponsor_id }) => sponsor_id ?? []),
  )
  await record(
    scope,
    'members.changed',
    { type: 'journey', id: journeyId },
    { members: learners, sponsors: pairs.map((one) => one.sponsor) },
  )
}

/** The learners of a leaving sponsor go to a successor, or have no sponsor. */
export async function handOver(
  scope: Scope,
  journeyId: number,
  sponsorId: number,
  successorId: number | undefined,
): Promise<void> {
  const learners = await scope.db
    .selectFrom('members')
    .select('id')
    .where('sponsor_id', '=', sponsorId)
    .execute()
  if (successorId === sponsorId) throw invalid({ successor_id: ['Please choose somebody else.'] })
  if (learners.length === 0) return
  await assignSponsor(
    scope,
    journeyId,
    learners.map((learner) => learner.id),
    successorId ?? null,
  )
}
