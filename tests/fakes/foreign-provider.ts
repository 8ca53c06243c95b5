/** A foreign OpenID provider in a separate process, controlled by a test. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Account, Told } from './foreign-provider-process.ts'

export type ForeignProvider = Awaited<ReturnType<typeof startForeignProvider>>

export const CLIENT = { client_id: 'liftwell-there', client_secret: 'a-secret-of-the-foreign-provider' }

/** `method`: the only way in which its client can authenticate. */
export async function startForeignProvider(origin: string, method = 'client_secret_basic') {
  const script = fileURLToPath(new URL('./foreign-provider-process.ts', import.meta.url))
  const child = fork(script, [origin, CLIENT.client_id, CLIENT.client_secret, method], { silent: true })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk))
  const [{ issuer }] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`The provider does not start: ${printed}`))),
  ])) as [{ issuer: string }]

  let last = 0
  async function tell(told: Told): Promise<void> {
    last += 1
    const number = last
    const heard = new Promise<void>((done) => {
      child.on('message', function hear(answer: { number: number }) {
        if (answer.number !== number) return
        child.off('message', hear)
        done()
      })
    })
    child.send({ number, told })
    await heard
  }

  return {
    issuer,
    addAccount: (sub: string, account: Account) => tell({ tell: 'account', sub, ...account }),
    /** Revokes all grants, so that no token can be refreshed. */
    forgetGrants: () => tell({ tell: 'forget grants' }),
    async stop() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}
