/** Unsubscribing from mails, by the link in them or in one's own settings. */
import { record } from '../audit/audit.server.ts'
import { notFound } from '../errors.ts'
import { atHome, type Database, inScope, type Scope, systemActor, tenantWide } from '../scope/scope.server.ts'
import { findSelf } from '../users/current-user.server.ts'
import type { MailStop, MondayMail, OwnMailStops, Stopped } from './mail-stop.ts'
import { setMonday, wantsMonday } from './monday-mails.server.ts'

/** The person and the mails that a link is about. */
export type StopLink = { tenant_id: string; user_id: number } & (
  | { journey_id: number }
  | { monday: MondayMail }
)
/** The origin of links in mails, and the maker of unsubscribe links, if there is a key to seal them with. */
export type Links = { origin: string; stopLink?: ((link: StopLink) => string) | undefined }
type Source = 'link' | 'one_click' | 'profile'

export const readStop = (database: Database, link: StopLink): Promise<MailStop> =>
  inScope(database, systemActor(link.tenant_id), (scope) => readFor(scope, link))

export const changeStop = (
  database: Database,
  link: StopLink,
  { stop, one_click }: { stop: Stopped; one_click: boolean },
): Promise<MailStop> =>
  inScope(database, systemActor(link.tenant_id), async (scope) => {
    const { stopped, about } = await readFor(scope, link)
    // A one-click request must not weaken an earlier unsubscription from all mails.
    if (stopped === stop || (one_click && stopped === 'all')) return readFor(scope, link)
    await settle(scope, link, stop, one_click ? 'one_click' : 'link')
    const whose = 'monday' in link ? { about } : { journey: link.journey_id }
    await record(scope, 'mails.stopped', { type: 'user', id: link.user_id }, { stopped: stop, ...whose })
    return readFor(scope, link)
  })

/** Leaves everything else as it is. */
async function settle(scope: Scope, link: StopLink, stop: Stopped, source: Source): Promise<void> {
  const { user_id } = link
  const journey_id = 'monday' in link ? null : link.journey_id
  await scope.db
    .deleteFrom('mail_stops')
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('journey_id', 'is', null), eb('journey_id', '=', journey_id)]))
    .execute()
  if (stop === 'all') await keep(scope, user_id, null, source)
  else if ('monday' in link) await setMonday(scope, user_id, link.monday, stop === 'none')
  else if (stop === 'these') await keep(scope, user_id, journey_id, source)
}

async function readFor({ db, actor }: Scope, link: StopLink): Promise<MailStop> {
  const known = await db
    .selectFrom('users')
    .innerJoin('tenants as t', 't.id', 'users.tenant_id')
    .leftJoin('journeys as j', (join) =>
      join
        .onRef('j.tenant_id', '=', 'users.tenant_id')
        .on('j.id', '=', 'journey_id' in link ? link.journey_id : null),
    )
    .select(['t.name as company', 'j.name as journey'])
    .where('users.id', '=', link.user_id)
    .where('users.erased_on', 'is', null)
    .where('users.tenant_id', '=', actor.tenant_id)
    .executeTakeFirst()
  if (!known) throw notFound()
  if ('monday' in link) return { ...known, about: link.monday, stopped: await mondayStop({ db }, link) }
  if (known.journey === null) throw notFound()
  return { ...known, about: 'journey', stopped: await stoppedFor({ db }, link.user_id, link.journey_id) }
}

async function mondayStop(
  scope: Pick<Scope, 'db'>,
  { user_id, monday }: { user_id: number; monday: MondayMail },
): Promise<Stopped> {
  if ((await stoppedFor(scope, user_id, null)) === 'all') return 'all'
  return (await wantsMonday(scope, user_id, monday)) ? 'none' : 'these'
}

/** Without a journey: whether all mails are stopped. */
export async function stoppedFor(
  { db }: Pick<Scope, 'db'>,
  user_id: number,
  journey_id: number | null,
): Promise<Stopped> {
  const rows = await db
    .selectFrom('mail_stops')
    .select('journey_id')
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([eb('journey_id', 'is', null), eb('journey_id', '=', journey_id)]))
    .execute()
  if (rows.some((row) => row.journey_id === null)) return 'all'
  return rows.length > 0 ? 'these' : 'none'
}

const keep = ({ db, actor }: Scope, user_id: number, journey_id: number | null, source: Source) =>
  db
    .insertInto('mail_stops')
    .values({ tenant_id: actor.tenant_id, user_id, journey_id, source })
    .onConflict((clash) => clash.columns(['tenant_id', 'user_id', 'journey_id']).doNothing())
    .execute()

export const getOwnStops = (scope: Scope): Promise<OwnMailStops> =>
  atHome(scope, async (home) => listStops(home, (await findSelf(home)).id))

/** Reads tenant-wide: people of one sub-tenant take part in journeys of others. */
const listStops = (scope: Scope, user_id: number): Promise<OwnMailStops> =>
  tenantWide(scope, async ({ db }) => {
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
  })

/** Here people can stop all mails or resume a journey's; stopping a journey's takes the link in its mails. */
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
    const stopped = all ? 'all' : wanted.length > 0 ? 'these' : 'none'
    await record(home, 'mails.stopped', { type: 'user', id }, { stopped })
    return listStops(home, id)
  })
