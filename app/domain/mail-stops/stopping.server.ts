/** Stopping mails, by the link in them or in one's own settings. */
import { record } from '../audit/audit.server.ts'
import { notFound } from '../errors.ts'
import { atHome, type Database, inScope, type Scope, systemActor } from '../scope.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import type { MailStop, OwnMailStops, Stopped } from './mail-stop.ts'

/** Of whom and what a link speaks. */
export type StopLink = { tenant_id: string; user_id: number; journey_id: number }
type Source = 'link' | 'one_click' | 'profile'

export const readStop = (database: Database, link: StopLink): Promise<MailStop> =>
  inScope(database, systemActor(link.tenant_id), (scope) => readFor(scope, link))

export const changeStop = (
  database: Database,
  link: StopLink,
  { stop, one_click }: { stop: Stopped; one_click: boolean },
): Promise<MailStop> =>
  inScope(database, systemActor(link.tenant_id), async (scope) => {
    const { stopped } = await readFor(scope, link)
    const { user_id, journey_id } = link
    // Whoever has stopped all asks for less by no single click.
    if (stopped === stop || (one_click && stopped === 'all')) return readFor(scope, link)
    await scope.db
      .deleteFrom('mail_stops')
      .where('user_id', '=', user_id)
      .where((eb) => eb.or([eb('journey_id', 'is', null), eb('journey_id', '=', journey_id)]))
      .execute()
    if (stop !== 'none')
      await keep(scope, user_id, stop === 'all' ? null : journey_id, one_click ? 'one_click' : 'link')
    await record(
      scope,
      'mails.stopped',
      { type: 'user', id: user_id },
      { stopped: stop, journey: journey_id },
    )
    return readFor(scope, link)
  })

async function readFor({ db, actor }: Scope, { user_id, journey_id }: StopLink): Promise<MailStop> {
  const known = await db
    .selectFrom('users')
    .innerJoin('tenants as t', 't.id', 'users.tenant_id')
    .innerJoin('journeys as j', 'j.tenant_id', 'users.tenant_id')
    .select(['t.name as company', 'j.name as journey'])
    .where('users.id', '=', user_id)
    .where('users.erased_on', 'is', null)
    .where('users.tenant_id', '=', actor.tenant_id)
    .where('j.id', '=', journey_id)
    .executeTakeFirst()
  if (!known) throw notFound()
  return { ...known, stopped: await stoppedFor({ db }, user_id, journey_id) }
}

export async function stoppedFor(
  { db }: Pick<Scope, 'db'>,
  user_id: number,
  journey_id: number,
): Promise<Stopped> {
  const rows = await db
    .selectFrom('mail_stops')
    .select('journey_id')
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('journey_id', 'is', null), eb('journey_id', '=', journey_id)]))
    .execute()
  if (rows.some((row) => row.journey_id === null)) return 'all'
  return rows.length > 0 ? 'journey' : 'none'
}

const keep = ({ db, actor }: Scope, user_id: number, journey_id: number | null, source: Source) =>
  db
    .insertInto('mail_stops')
    .values({ tenant_id: actor.tenant_id, user_id, journey_id, source })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id', 'journey_id']).doNothing())
    .execute()

export const getOwnStops = (scope: Scope): Promise<OwnMailStops> =>
  atHome(scope, async (home) => listStops(home, (await findSelf(home)).id))

async function listStops({ db }: Scope, user_id: number): Promise<OwnMailStops> {
  const rows = await db
    .selectFrom('mail_stops as s')
    .leftJoin('journeys as j', 'j.id', 's.journey_id')
    .select(['s.journey_id', 'j.name'])
    .where('s.user_id', '=', user_id)
    .orderBy('j.name')
    .execute()
  return {
    all: rows.some(({ journey_id }) => journey_id === null),
    journeys: rows.flatMap(({ journey_id: id, name }) =>
      id === null || name === null ? [] : [{ id, name }],
    ),
  }
}

/** All can be stopped here; a journey only goes on again: its mails say how it is stopped. */
export const setOwnStops = (
  scope: Scope,
  { all, journey_ids }: { all: boolean; journey_ids: readonly number[] },
): Promise<OwnMailStops> =>
  atHome(scope, async (home) => {
    const { id } = await findSelf(home)
    const before = await listStops(home, id)
    const wanted = before.journeys.filter((journey) => journey_ids.includes(journey.id))
    if (before.all === all && wanted.length === before.journeys.length) return before
    await home.db.deleteFrom('mail_stops').where('user_id', '=', id).execute()
    if (all) await keep(home, id, null, 'profile')
    for (const journey of wanted) await keep(home, id, journey.id, 'profile')
    const stopped = all ? 'all' : wanted.length > 0 ? 'journey' : 'none'
    await record(home, 'mails.stopped', { type: 'user', id }, { stopped })
    return listStops(home, id)
  })
