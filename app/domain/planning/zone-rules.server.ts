/** Node brings the rules of zones and changes them: what was planned by other rules is planned anew. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { addJob } from '#app/db/queue.server.ts'
import { type Database, inScope, systemActor } from '../scope/scope.server.ts'
import { yieldingToOthers } from '../yield-to-others.server.ts'

/** The same years whenever it is asked, so that only other rules make another digest. */
const FIRST = Temporal.Instant.from('2025-01-01T00:00:00Z')
const LAST = Temporal.Instant.from('2037-01-01T00:00:00Z')

/** Returns the zones whose rules are others than those by which occurrences were planned. */
export async function keepZoneRules(
  database: Database,
  version = process.versions.tz ?? 'unknown',
): Promise<string[]> {
  const kept = await database.selectFrom('zone_rules').selectAll().execute()
  if (kept.length > 0 && kept.every((row) => row.version === version)) return []
  const rules = (await readDigests()).map((rule) => ({ ...rule, version }))
  const before = new Map(kept.map((row) => [row.zone, row.changes]))
  const changed = rules.filter(({ zone, changes }) => (before.get(zone) ?? changes) !== changes)
  const zones = changed.map((rule) => rule.zone)
  if (zones.length > 0) await replanEverywhere(database, zones, version)
  await database
    .insertInto('zone_rules')
    .values(rules)
    .onConflict((clash) =>
      clash.column('zone').doUpdateSet({ version, changes: (eb) => eb.ref('excluded.changes') }),
    )
    .execute()
  return zones
}

async function replanEverywhere(database: Database, zones: string[], version: string): Promise<void> {
  const { rows } = await sql<{
    tenant_id: string
  }>`select tenant_id from tenants_under_way() as tenant_id`.execute(database)
  for (const { tenant_id } of rows)
    await inScope(database, systemActor(tenant_id), ({ db }) =>
      addJob(db, 'replan-people', { tenant_id, zones }, { key: `zones:${tenant_id}:${version}` }),
    )
}

let digests: Promise<{ zone: string; changes: string }[]> | undefined

/** Of this node, found out once: it takes a second. */
const readDigests = () => {
  digests ??= digestAll()
  return digests
}

async function digestAll() {
  const rest = yieldingToOthers()
  const all: { zone: string; changes: string }[] = []
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    all.push({ zone, changes: digestOf(zone) })
    await rest()
  }
  return all
}

/** Every change of the zone's clock, and where it stands in between. */
function digestOf(zone: string): string {
  const changes = createHash('sha256')
  for (
    let clock: Temporal.ZonedDateTime | null = FIRST.toZonedDateTimeISO(zone);
    clock && Temporal.Instant.compare(clock.toInstant(), LAST) < 0;
    clock = clock.getTimeZoneTransition('next')
  )
    changes.update(`${clock.epochMilliseconds} ${clock.offset}\n`)
  return changes.digest('hex')
}
