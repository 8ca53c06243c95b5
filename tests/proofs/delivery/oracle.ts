/**
 * Judges a run by the rows and the carriers' journal, without any query or code of the product. The proof knows what
 * the product's clock showed, because it moved that clock.
 */
import type pg from 'pg'
import { clockOf } from '../clock.ts'
import type { Clock } from './clock.ts'
import { type Course, MAX_A_DAY_EACH, REST } from './courses.ts'
import type { Entry } from './journal.ts'

/** The longest time between the product's last check of the clock and the carrier's journal. */
const ON_THE_WAY_MS = 75_000
const TEXTS_AN_HOUR = 3
const HOUR = 3_600_000
/** Quiet hours in the company's zone, for receivers whose zone is unknown. */
const REST_UNKNOWN = { from: '19:00', to: '11:00' }

type Row = {
  id: number
  kind: 'lift' | 'reminder'
  state: string
  error_code: string | null
  address: string
  lift: number
}
type Receiver = { address: string; zone: string | null }
type Ground = { tenantZone: string; subTenantZone: string; receivers: Map<string, Receiver>; rows: Row[] }

type Finding = { what: string; evidence: string }
export type Verdict = { findings: Finding[]; counts: Map<string, number> }

export async function readGround(admin: pg.Client, place: string): Promise<Ground> {
  const { rows: zones } = await admin.query<{ company: string; part: string }>(
    'select t.timezone as company, s.timezone as part from sub_tenants s join tenants t on t.id = s.tenant_id where s.name = $1',
    [place],
  )
  const { rows: people } = await admin.query<{
    email: string
    mobile_phone: string | null
    timezone: string | null
  }>(
    `select email::text, mobile_phone, timezone from users where email like 'learner-%@faults.liftwell-proof.net'`,
  )
  const { rows } = await admin.query<Row>(
    `select d.id::int, d.kind, d.state, d.error_code, o.lift_id::int as lift,
       -- A reminder by text of somebody without a number becomes one by e-mail, and is the same.
       coalesce(d.address, case when d.channel = 'sms' then u.mobile_phone end, u.email::text) as address
     from dispatches d join occurrences o on o.tenant_id = d.tenant_id and o.id = d.occurrence_id
       join members m on m.tenant_id = o.tenant_id and m.id = o.member_id
       join users u on u.tenant_id = m.tenant_id and u.id = m.user_id
     where u.email like 'learner-%@faults.liftwell-proof.net'`,
  )
  const receivers = new Map<string, Receiver>()
  for (const { email, mobile_phone, timezone } of people) {
    const one = { address: mobile_phone ?? email, zone: timezone }
    receivers.set(email, one)
    if (mobile_phone) receivers.set(mobile_phone, one)
  }
  const [zone] = zones
  return { tenantZone: zone?.company ?? '', subTenantZone: zone?.part ?? '', receivers, rows }
}

type Run = {
  ground: Ground
  journal: readonly Entry[]
  courses: readonly Course[]
  clock: Clock
  /** The rows do not know what was sent between a backup and its restore. */
  forgotten: { from: number; until: number }
}

/** A message as a person received it. */
type Got = Omit<Entry, 'kind'> & {
  kind: string
  person: string
  zone: string
  rest: { from: string; to: string }
  isByHand: boolean
  shown: Date[]
}

export function judge(run: Run): Verdict {
  const verdict: Verdict = { findings: [], counts: new Map() }
  const kinds = new Map(run.ground.rows.map(({ id, lift, kind }) => [`${id} ${lift}`, kind]))
  // The demo's own journeys continue with the clock, and are ignored.
  const ours = new Set(run.courses.flatMap(({ lifts }) => lifts))
  const got = run.journal.filter(({ lift }) => ours.has(lift)).map((entry) => readGot(run, entry, kinds))
  judgeOnce(verdict, got)
  judgeLosses(run, verdict, got)
  judgeRest(verdict, got)
  judgeDays(verdict, got)
  judgeTexts(verdict, got)
  judgeTenantDay(run, verdict, got)
  for (const one of got) if (isChangeOfClock(one)) add(verdict, 'on a day that has a change of clocks')
  return verdict
}

function readGot(
  { ground, courses, clock }: Run,
  entry: Entry,
  kinds: ReadonlyMap<string, Row['kind']>,
): Got {
  const receiver = ground.receivers.get(entry.to)
  const [, part] = courses
  const isInSubTenant = part?.lifts.includes(entry.lift) ?? false
  // A text does not say its kind; if a restored backup has forgotten its row, only its number identifies it.
  const kind =
    entry.dispatch === undefined
      ? entry.kind
      : (kinds.get(`${entry.dispatch} ${entry.lift}`) ?? `text ${entry.dispatch}`)
  const isKnown = isInSubTenant || (receiver?.zone ?? null) !== null
  return {
    ...entry,
    kind,
    person: receiver?.address ?? entry.to,
    zone: receiver?.zone ?? (isInSubTenant ? ground.subTenantZone : ground.tenantZone),
    rest: isInSubTenant ? REST.part : isKnown ? REST.company : REST_UNKNOWN,
    isByHand: courses.some((course) => course.isByHand && course.lifts.includes(entry.lift)),
    shown: clock.readings(entry.at),
  }
}

const add = ({ counts }: Verdict, name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by)
const find = (verdict: Verdict, what: string, evidence: string) => {
  verdict.findings.push({ what, evidence })
  add(verdict, what)
}

const keyOf = ({ lift, person, kind }: Pick<Got, 'lift' | 'person' | 'kind'>) =>
  `${kind} ${lift} to ${person}`
const timesOf = (got: readonly Got[]) =>
  got
    .map(
      ({ shown, carrier, dispatch }) => `${carrier} ${dispatch ?? ''} ${shown.map((at) => at.toISOString())}`,
    )
    .join(', ')

const groupBy = <Item>(items: readonly Item[], name: (item: Item) => string | null): Map<string, Item[]> => {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const key = name(item)
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}

function judgeOnce(verdict: Verdict, got: readonly Got[]): void {
  add(verdict, 'duplicates', 0)
  for (const one of got) add(verdict, `taken by ${one.carrier}`)
  for (const [key, same] of groupBy(got, keyOf))
    if (same.length > 1) find(verdict, 'duplicates', `${key}: ${timesOf(same)}`)
}

/** Every lift of every learner is at a carrier, or listed with a reason for a person to decide about. */
function judgeLosses({ ground, courses, forgotten }: Run, verdict: Verdict, got: readonly Got[]): void {
  add(verdict, 'losses', 0)
  const taken = groupBy(got, keyOf)
  const rowsOf = groupBy(ground.rows, ({ kind, lift, address }) =>
    keyOf({ kind, lift, person: ground.receivers.get(address)?.address ?? address }),
  )
  const wanted = new Set(
    courses.flatMap(({ lifts, learners }) =>
      lifts.flatMap((lift) => learners.map(({ address }) => keyOf({ kind: 'lift', lift, person: address }))),
    ),
  )
  for (const key of new Set([...wanted, ...rowsOf.keys()])) {
    const { loss, told } = fateOf(rowsOf.get(key) ?? [], taken.get(key)?.length ?? 0)
    if (loss) find(verdict, 'losses', `${key}: ${loss}`)
    else add(verdict, told)
  }
  for (const [key, same] of taken) {
    if (rowsOf.has(key)) continue
    if (same.every(({ at }) => at >= forgotten.from && at <= forgotten.until))
      add(verdict, 'forgotten by the backup')
    else find(verdict, 'sent, and not known to the database', `${key}: ${timesOf(same)}`)
  }
}

/** What the rows say about a message that was taken this many times. */
function fateOf(rows: readonly Row[], count: number): { loss?: string; told: string } {
  const isSaid = rows.some(({ state }) => SENT.has(state))
  const listed = rows.find(({ state }) => LISTED.has(state))
  const [row] = rows.toSorted((one, other) => Number(OPEN.has(other.state)) - Number(OPEN.has(one.state)))
  if (!row)
    return count > 0
      ? { told: 'lifts that the backup had not planned yet, and were taken' }
      : { loss: 'nobody knows of it', told: '' }
  if (OPEN.has(row.state)) return { loss: `still ${row.state} at the end`, told: '' }
  if (isSaid)
    return count > 0
      ? { told: 'sent, and said so' }
      : { loss: 'said to be sent, and no carrier has it', told: '' }
  if (listed) return { told: listedAs(listed, count) }
  return { loss: `${count > 0 ? 'taken, and said to be ' : ''}${row.state} (${row.error_code})`, told: '' }
}

const SENT = new Set(['accepted', 'delivered', 'undelivered'])
const OPEN = new Set(['planned', 'claimed', 'sending'])
/** States that people see in a list and decide about. */
const LISTED = new Set(['unknown', 'failed', 'expired'])

const listedAs = ({ state, error_code }: Row, count: number): string =>
  state === 'unknown'
    ? `listed as unknown, ${count > 0 ? 'taken' : 'never taken'}`
    : `listed as ${state} (${error_code})${count > 0 ? ', taken before the backup was restored' : ''}`

/** No message in the receiver's quiet hours, whichever time the clock showed. */
function judgeRest(verdict: Verdict, got: readonly Got[]): void {
  add(verdict, 'in quiet hours', 0)
  for (const one of got) {
    // An e-mail that a person sends now is sent at once.
    if (one.isByHand && one.channel === 'email') continue
    const isResting = (at: Date) => isIn(clockOf(one.zone, at).time, one.rest)
    const resting = one.shown.every(
      (at) => isResting(at) && isResting(new Date(at.getTime() - ON_THE_WAY_MS)),
    )
    if (resting) find(verdict, 'in quiet hours', `${keyOf(one)} in ${one.zone}: ${timesOf([one])}`)
  }
}

const isIn = (time: string, { from, to }: { from: string; to: string }) => time >= from || time < to

/** One lift and one reminder per day of the receiver; manual messages come on top. */
function judgeDays(verdict: Verdict, got: readonly Got[]): void {
  for (const kind of ['lift', 'reminder'] as const) {
    const name = `second ${kind} of a day`
    add(verdict, name, 0)
    const ofKind = got.filter((one) => one.kind === kind && !one.isByHand)
    for (const [key, same] of groupBy(ofKind, dayOf))
      if (same.length > 1) find(verdict, name, `${key}: ${same.map(keyOf)}: ${timesOf(same)}`)
  }
}

/** Null when a move of the clock leaves the day open. */
function dayOf({ person, zone, shown }: Pick<Got, 'person' | 'zone' | 'shown'>): string | null {
  const [day, ...others] = new Set(shown.map((at) => clockOf(zone, at).day))
  return day === undefined || others.length > 0 ? null : `${person} on ${day}`
}

/** Whether the zone's clock was changed within the twelve hours before. */
function isChangeOfClock({ zone, shown: [at] }: Got): boolean {
  if (!at) return false
  const { time } = clockOf(zone, at)
  return time !== clockOf(zone, new Date(at.getTime() - 12 * HOUR)).time.replace(/^\d+/, halfDayOn)
}
const halfDayOn = (hour: string) => String((Number(hour) + 12) % 24).padStart(2, '0')

function judgeTexts(verdict: Verdict, got: readonly Got[]): void {
  add(verdict, 'fourth text of an hour', 0)
  const texts = groupBy(
    got.filter(({ channel, shown }) => channel === 'sms' && shown.length === 1),
    ({ to }) => to,
  )
  for (const [number, all] of texts) {
    const sorted = all.toSorted((one, other) => at(one) - at(other))
    sorted.forEach((one, index) => {
      const third = sorted[index - TEXTS_AN_HOUR]
      if (third && at(one) - at(third) < HOUR - ON_THE_WAY_MS)
        find(
          verdict,
          'fourth text of an hour',
          `${number}: ${timesOf(sorted.slice(index - TEXTS_AN_HOUR, index + 1))}`,
        )
    })
  }
}

const at = ({ shown }: Got): number => shown[0]?.getTime() ?? 0

/** The company's own daily limit, without what a restored backup has forgotten. */
function judgeTenantDay({ ground, courses, forgotten }: Run, verdict: Verdict, got: readonly Got[]): void {
  add(verdict, 'beyond the cap of the company', 0)
  const most = Math.ceil((courses[0]?.learners.length ?? 0) * MAX_A_DAY_EACH)
  const known = got.filter(({ at }) => at < forgotten.from || at > forgotten.until)
  for (const [day, all] of groupBy(known, ({ shown }) =>
    dayOf({ person: 'all', zone: ground.tenantZone, shown }),
  ))
    if (all.length > most) find(verdict, 'beyond the cap of the company', `${day}: ${all.length} of ${most}`)
}
