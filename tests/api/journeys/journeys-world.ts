/** A company with a journey to launch, and workers that run only when told. */
import type { Carriers, Message } from '#app/integrations/carrier.ts'
import { CarrierError } from '#app/integrations/carrier.ts'
import type { IdentityAdmin } from '#app/integrations/identity-admin.ts'
import { startWorkers, type WorkersOptions } from '#app/jobs/workers.server.ts'
import { createWorld } from '#tests/api/tenants/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'

export const ORIGIN = 'https://learn.example'
const silent = { info() {}, warn() {}, error() {} }

export const QUESTION = {
  kind: 'single_choice',
  text: 'What comes first?',
  options: [
    { id: 'a', text: 'Listening', correct: true, feedback: 'Right, always.' },
    { id: 'b', text: 'Talking', correct: false, feedback: 'Not quite: listen first.' },
  ],
  scoring: 'auto',
}

export const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
export const on = (days: number, time = '12:00') => ({
  schedule: { kind: 'absolute', date: dateIn(days), time },
})

export type JourneysWorld = Awaited<ReturnType<typeof createJourneysWorld>>

export async function createJourneysWorld() {
  const database = await createTestDatabase()
  const world = await createWorld(database.app)
  const invited: string[] = []
  /** The account calls that the provider received. */
  const accounts: string[] = []
  const identityAdmin: IdentityAdmin = {
    async invite({ email }) {
      invited.push(email)
      return {
        sub: `sub-of-${email}`,
        link: 'http://localhost/invitation/default/x',
        temporary_until: new Date(),
      }
    },
    async setEnabled() {},
    async changeEmail({ sub, email }) {
      accounts.push(`${sub} is ${email}`)
    },
    async erase({ sub }) {
      accounts.push(`${sub} is erased`)
    },
    async requireReset({ sub }) {
      accounts.push(`${sub} resets`)
    },
    async setSecondFactor({ sub, preferred }) {
      accounts.push(`${sub} has ${preferred}`)
    },
    async signOutEverywhere({ sub }) {
      accounts.push(`${sub} is out`)
    },
  }
  const workers = (carriers?: Carriers, more: Partial<WorkersOptions> = {}) =>
    startWorkers({
      databases: { worker: database.worker, workerUrl: database.workerUrl },
      origin: ORIGIN,
      identityAdmin,
      log: silent,
      isIdle: true,
      ...(carriers && { carriers }),
      ...more,
    })

  /** Runs all waiting jobs. */
  async function drain(...given: Parameters<typeof workers>): Promise<void> {
    const started = await workers(...given)
    await started.drain()
    await started.stop()
  }

  /** A draft with one ready lift and one question, ready to launch for `learners`; in a sub-tenant, if one is named. */
  async function draft(
    learners: readonly (keyof typeof world.people)[],
    more: object = {},
    lift: object = {},
    sub: string | null = null,
  ) {
    const make = (path: string, body: object) => must('adam', 'POST', path, body, { sub })
    const journey = await make('/lljs', { name: 'Better talks', category: 'Sales', ...more })
    const made = await make(`/lljs/${journey.id}/lifts`, {
      title: 'Listen first',
      sms_text: 'Hi {{first_name}}, "{{lift}}" waits: {{link}}',
      blocks: [{ kind: 'text', markdown: 'People **remember** who listened.' }],
      status: 'ready',
      ...lift,
    })
    const prompt = await make(`/lifts/${made.id}/prompts`, QUESTION)
    const user_ids = learners.map((name) => world.people[name].user_id)
    if (user_ids.length > 0) await make(`/lljs/${journey.id}/members`, { user_ids })
    return { id: journey.id as number, lift: made.id as number, prompt: prompt.id as number }
  }

  /** Adds another ready lift. */
  async function addLift(id: number, title: string, more: object): Promise<number> {
    const blocks = [{ kind: 'text', markdown: 'Text.' }]
    const made = await must('adam', 'POST', `/lljs/${id}/lifts`, { title, blocks, status: 'ready', ...more })
    return made.id
  }

  async function must(...call: Parameters<typeof world.call>) {
    const answer = await world.call(...call)
    if (answer.status >= 300) throw new Error(`${call[1]} ${call[2]}: ${answer.status} ${answer.text}`)
    return answer.json
  }

  return {
    ...world,
    database,
    invited,
    accounts,
    workers,
    drain,
    draft,
    addLift,
    must,
    drop: () => database.drop(),
  }
}

/** A carrier that records its messages; `behave` decides whether each is taken. */
export function createTestCarrier(
  behave: (message: Message, nth: number) => Promise<void> | void = () => {},
) {
  const taken: Message[] = []
  let handed = 0
  const carrier = {
    sendsOncePerKey: false,
    async send(message: Message) {
      handed += 1
      await behave(message, handed)
      taken.push(message)
      return { provider_id: `t-${message.key}` }
    },
    async find({ key }: { key: string }) {
      return taken.some((one) => one.key === key) ? { provider_id: `t-${key}` } : null
    },
  }
  return {
    taken,
    carriers: { sms: carrier, email: carrier } satisfies Carriers,
    handed: () => handed,
    carrier,
  }
}

export const busy = () => new CarrierError('busy', 'overloaded')
export const refused = () => new CarrierError('refused', 'no_such_mailbox')
