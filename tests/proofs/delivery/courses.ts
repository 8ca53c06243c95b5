/** The messages to deliver: people in many zones, in two overlapping journeys, and texts that a person sends manually. */
import type pg from 'pg'
import type { Learner, Person } from '../faults/people.ts'
import type { Witness } from '../faults/witness.ts'

/** Northern zones go forward in the proof's first night, southern ones back in its second; null: no zone known. */
export const ZONES = [
  ...['Europe/Amsterdam', 'Europe/Lisbon', 'America/New_York', 'Asia/Kolkata'],
  ...['Australia/Sydney', 'Pacific/Auckland', 'America/Santiago', 'Africa/Johannesburg'],
  null,
]
export const PLACE = 'Northwind Europe'
/** Quiet hours of the company, and of the sub-tenant that one of the journeys belongs to. */
export const REST = { company: { from: '19:30', to: '09:30' }, part: { from: '18:00', to: '10:30' } }
/** The days on which each person's lifts are due, around both nights; each with a reminder. */
const DAYS = { company: [0, 1, 2, 3, 8, 9], part: [1, 2, 3, 8, 9] }
export const MESSAGES_EACH = 2 * (DAYS.company.length + DAYS.part.length)
/** A daily limit that holds a few messages over to another hour. */
export const MAX_A_DAY_EACH = 1.9
/** Sent manually to a few; a number takes three texts an hour. */
const BY_HAND = 5
const BY_HAND_PEOPLE = 20

export type Course = { journey: number; lifts: number[]; learners: readonly Learner[]; isByHand: boolean }

const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export async function setRest(admin: pg.Client, learners: number): Promise<void> {
  await admin.query(
    `update tenants set settings = settings || $1 where id = (select tenant_id from sub_tenants where name = $2)`,
    [{ quiet_hours: REST.company, daily_message_cap: Math.ceil(learners * MAX_A_DAY_EACH) }, PLACE],
  )
  await admin.query('update sub_tenants set settings = settings || $1 where name = $2', [
    { quiet_hours: REST.part },
    PLACE,
  ])
}

type Setting = { witness: Witness; author: Person; admin: pg.Client }

/** Written and launched; manual lifts wait for `sendByHand`. */
export async function writeCourses(setting: Setting, learners: readonly Learner[], start_on: string) {
  const onDays = (all: readonly number[], time: string) =>
    all.map((days) => ({ kind: 'offset', from: 'start', days, time }))
  const texts = learners.filter(({ channel }) => channel === 'sms').slice(0, BY_HAND_PEOPLE)
  const byHand = Array.from({ length: BY_HAND }, () => ({ kind: 'manual', at_launch: false }))
  const common = { start_on, channels: ['sms', 'email'], send_days: EVERY_DAY, category: 'Safety' }
  return [
    await write(setting, learners, onDays(DAYS.company, '10:00'), {
      ...{ ...common, name: 'Fault proof: every day' },
      reminder_policy: [{ after_hours: 20, channel: 'email' }],
    }),
    await write(setting, learners, onDays(DAYS.part, '15:30'), {
      ...{ ...common, name: 'Fault proof: of a part' },
      reminder_policy: [{ after_hours: 20, channel: 'sms' }],
    }),
    await write(setting, texts, byHand, { ...common, name: 'Fault proof: by hand', reminder_policy: [] }),
  ]
}

async function write(
  setting: Setting,
  learners: readonly Learner[],
  schedules: readonly object[],
  fields: { name: string; reminder_policy: readonly object[] } & Record<string, unknown>,
): Promise<Course> {
  const isByHand = fields.name.endsWith('by hand')
  const post = poster(setting, fields.name)
  const { id } = await post('/lljs', fields)
  const lifts: number[] = []
  for (const [index, schedule] of schedules.entries()) {
    const lift = await post(
      `/lljs/${id}/lifts`,
      {
        ...{ title: `Lift ${index + 1}`, schedule, status: 'ready' },
        blocks: [{ kind: 'text', markdown: 'What stays when things break.' }],
      },
      index,
    )
    await post(`/lifts/${lift.id}/prompts`, { kind: 'short_text', text: 'What will you do?' })
    lifts.push(lift.id)
  }
  for (let at = 0; at < learners.length; at += 200)
    await post(
      `/lljs/${id}/members`,
      { user_ids: learners.slice(at, at + 200).map((one) => one.user_id) },
      at,
    )
  if (fields.name.endsWith('of a part'))
    await setting.admin.query(
      'update journeys set sub_tenant_id = (select id from sub_tenants where name = $1) where id = $2',
      [PLACE, id],
    )
  await post(`/lljs/${id}/launch`, {})
  return { journey: id, lifts, learners, isByHand }
}

/** Returns whether every call was acknowledged; called again, it sends nothing twice. */
export async function sendByHand(setting: Omit<Setting, 'admin'>, course: Course): Promise<void> {
  const post = poster(setting, 'by hand')
  for (const lift of course.lifts) await post(`/lifts/${lift}/send_now`, { member_ids: 'pending' })
}

function poster({ witness, author }: Omit<Setting, 'admin'>, name: string) {
  return async (path: string, body: object, nth = 0): Promise<{ id: number }> => {
    const headers = { ...author.api, 'idempotency-key': `${name} ${path} ${nth}` }
    const asked = { method: 'POST', path: `/api/v1${path}`, headers, body: JSON.stringify(body) }
    const answer = await witness.insist<{ id: number }>(asked)
    if (!answer)
      throw new Error(`${path} was not acknowledged: ${JSON.stringify(witness.findings.misses.at(-1))}`)
    return answer
  }
}
