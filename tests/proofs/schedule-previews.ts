/** Journeys with random rules, previewed and then launched through the API on a real database. */
import fc from 'fast-check'
import { createWorld } from '#tests/api/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'

const JOURNEYS = 40
const DAY = 86_400_000
type Entry = { lift_id: number; due_at: string | null; state: string; rule: string }

const clock = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((pair) => pair.map((n) => String(n).padStart(2, '0')).join(':'))
const rules = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('absolute'),
      date: fc
        .integer({ min: -3, max: 60 })
        .map((days) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)),
      time: clock,
    }),
    fc.record({
      kind: fc.constant('offset'),
      from: fc.constantFrom('start', 'joined', 'previous_lift_completed'),
      days: fc.nat(40),
      time: fc.option(clock),
    }),
    fc.record({
      kind: fc.constant('weekly'),
      week: fc.integer({ min: 1, max: 6 }),
      weekday: fc.constantFrom('Mon', 'Wed', 'Sun'),
      time: fc.option(clock),
    }),
  ),
  { minLength: 1, maxLength: 5 },
)

export async function provePreviews(): Promise<{ passed: number; failures: string[] }> {
  const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
  const database = await createTestDatabase(postgres)
  try {
    const world = await createWorld(database.app)
    const failures: string[] = []
    const samples = fc.sample(rules, { numRuns: JOURNEYS, seed: 7 })
    for (const sample of samples) failures.push(...(await playJourney(world, sample)))
    return { passed: JOURNEYS - failures.length, failures }
  } finally {
    await database.drop()
    await stop()
  }
}

async function playJourney(
  { call, people }: Awaited<ReturnType<typeof createWorld>>,
  schedules: readonly object[],
): Promise<string[]> {
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await call('adam', method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.json
  }
  const { id } = await must('POST', '/lljs', {
    name: 'Proved',
    category: 'Sales',
    send_days: ['Mon', 'Tue', 'Thu', 'Sat'],
  })
  for (const [nth, schedule] of schedules.entries())
    await must('POST', `/lljs/${id}/lifts`, {
      title: `Lift ${nth + 1}`,
      blocks: [{ kind: 'text', markdown: 'Text.' }],
      status: 'ready',
      schedule,
    })
  const user_ids = [people.uri.user_id, people.aya.user_id]
  await must('POST', `/lljs/${id}/members`, { user_ids })
  const look = async () => {
    const seen: string[] = []
    for (const user of user_ids) {
      const { entries } = await must('GET', `/lljs/${id}/schedule/preview?user_id=${user}`)
      for (const { lift_id, due_at, state } of entries as Entry[])
        if (state !== 'skipped' && state !== 'expired') seen.push(`${user} lift ${lift_id}: ${due_at}`)
    }
    return seen.sort().join('\n')
  }
  const foreseen = await look()
  await must('POST', `/lljs/${id}/launch`, { skip_past: true })
  const planned = await look()
  return foreseen === planned
    ? []
    : [`Foreseen:\n${foreseen}\nPlanned:\n${planned}\n${JSON.stringify(schedules)}`]
}
