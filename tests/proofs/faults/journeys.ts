/** An author who writes and launches journeys: each call has an idempotency key, and is repeated until acknowledged. */
import type { LaunchedJourney, Ledger } from './ledger.ts'
import type { Learner, Person } from './people.ts'
import type { Witness } from './witness.ts'

const EVERY_DAY = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']

export class Author {
  readonly #witness: Witness
  readonly #ledger: Ledger
  readonly #person: Person
  readonly #reader: Person
  readonly #learners: Learner[]
  #count = 0

  /** `reader` takes part in every journey and answers it. */
  constructor(
    witness: Witness,
    ledger: Ledger,
    people: { author: Person; reader: Person; learners: Learner[] },
  ) {
    this.#witness = witness
    this.#ledger = ledger
    this.#person = people.author
    this.#reader = people.reader
    this.#learners = people.learners
  }

  /** A draft with a lift, a question and `pairs` of learners, by e-mail and by text; null if a call failed for good. */
  async write(pairs: number): Promise<LaunchedJourney | null> {
    const name = `Fault proof ${++this.#count}`
    const learners = this.#learners.splice(0, pairs * 2)
    if (learners.length < pairs * 2) throw new Error('There are no more learners: make more.')
    const journey = await this.#post<{ id: number }>(name, '/lljs', {
      name,
      category: 'Safety',
      channels: ['sms', 'email'],
      send_days: EVERY_DAY,
      reminder_policy: [{ after_hours: 1, channel: 'email' }],
    })
    if (!journey) return null
    this.#ledger.journeys.add(name)
    const lift = await this.#post<{ id: number }>(name, `/lljs/${journey.id}/lifts`, {
      title: `Lift of ${name}`,
      blocks: [{ kind: 'text', markdown: 'What stays when things break.' }],
      schedule: { kind: 'manual', at_launch: true },
      status: 'ready',
    })
    if (!lift) return null
    const prompt = await this.#post<{ id: number }>(name, `/lifts/${lift.id}/prompts`, {
      kind: 'short_text',
      text: 'What will you do?',
    })
    const user_ids = [...learners.map(({ user_id }) => user_id), this.#reader.user_id]
    const added = await this.#post(name, `/lljs/${journey.id}/members`, { user_ids })
    if (!prompt || !added) return null
    return { name, journey: journey.id, lift: lift.id, prompt: prompt.id, learners }
  }

  /** Returns whether the launch was acknowledged. */
  async launch(draft: LaunchedJourney): Promise<boolean> {
    const launched = await this.#post(draft.name, `/lljs/${draft.journey}/launch`, {
      send_now: true,
      expected_recipients: draft.learners.length + 1,
    })
    if (launched) this.#ledger.launched.push(draft)
    return launched !== null
  }

  #post<Answer = unknown>(name: string, path: string, body: object): Promise<Answer | null> {
    const headers = { ...this.#person.api, 'idempotency-key': `${name} ${path}` }
    return this.#witness.insist<Answer>({
      method: 'POST',
      path: `/api/v1${path}`,
      headers,
      body: JSON.stringify(body),
    })
  }
}
