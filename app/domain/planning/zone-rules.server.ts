/**
 * Time zone rules come with Node and change with its versions: occurrences planned by other rules are planned again, and
 * the database is told what clocks show.
 */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Temporal } from 'temporal-polyfill'
import { addJob } from '#app/db/queue.server.ts'
import { type Database, inScope, systemActor } from '../scope/scope.server.ts'
import { yieldingToOthers } from '../yield-to-others.server.ts'

/** A fixed range of years, so that the digest changes only with the rules. */
const FIRST = Temporal.Instant.from('2025-01-01T00:00:00Z')
const LAST = Temporal.Instant.from('2037-01-01T00:00:00Z')

/** Returns the zones whose rules differ from those that occurrences were planned by. */
export async function keepZoneRules(
  database: Database,
  version = process.versions.tz ?? 'unknown',
): Promise<string[]> {
  const kept = await database.selectFrom('zone_rules').selectAll().execute()
  if (kept.length > 0 && kept.every((row) => row.version === version && row.offsets.length > 0)) return []
  const rules = (await readDigests()).map((rule) => ({ ...rule, version }))
  const before = new Map(kept.map((row) => [row.zone, row.changes]))
  const changed = rules.filter(({ zone, changes }) => (before.get(zone) ?? changes) !== changes)
  const zones = changed.map((rule) => rule.zone)
  if (zones.length > 0) await replanEverywhere(database, zones, version)
  await database
    .insertInto('zone_rules')
    .values(rules)
    .onConflict((clash) =>
      clash.column('zone').doUpdateSet(({ ref }) => ({
        version,
        changes: ref('excluded.changes'),
        changed_at: ref('excluded.changed_at'),
        offsets: ref('excluded.offsets'),
      })),
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

type Rules = { zone: string; changes: string; changed_at: Date[]; offsets: number[] }
let digests: Promise<Rules[]> | undefined

/** Computed once per process: it takes a second. */
const readDigests = () => {
  digests ??= digestAll()
  return digests
}

async function digestAll() {
  const rest = yieldingToOthers()
  const all: Rules[] = []
  for (const zone of Intl.supportedValuesOf('timeZone')) {
    all.push({ zone, ...rulesOf(zone) })
    await rest()
  }
  return all
}

/** All changes of the zone's offset, and their digest. */
function rulesOf(zone: string): Omit<Rules, 'zone'> {
  const digest = createHash('sha256')
  const [changed_at, offsets]: [Date[], number[]] = [[], []]
  for (
    let clock: Temporal.ZonedDateTime | null = FIRST.toZonedDateTimeISO(zone);
    clock && Temporal.Instant.compare(clock.toInstant(), LAST) < 0;
    clock = clock.getTimeZoneTransition('next')
  ) {
    digest.update(`${clock.epochMilliseconds} ${clock.offset}\n`)
    changed_at.push(new Date(clock.epochMilliseconds))
    offsets.push(clock.offsetNanoseconds / 60e9)
  }
  return { changes: digest.digest('hex'), changed_at, offsets }
}
