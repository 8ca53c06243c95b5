/** A company that signs in at a Cognito user pool on our screens, and the calls that those screens make. */
import { createFrontPort } from '#app/auth/front-port.server.ts'
import { type IdentityPort, isIdentityError } from '#app/auth/identity-port.ts'
import { seal } from '#app/auth/seal.server.ts'
import { startSignIn } from '#app/auth/sign-in.server.ts'
import type { Caller } from '#tests/api/identity/identity-contract.ts'
import { type Answer, answerOf } from '#tests/api/identity/identity-site.ts'
import { requestWith, type World } from './auth-world.ts'

type Pool = {
  id: string
  issuer: string
  client_id: string
  client_secret: string | null
  settings: object
}

export async function addCognitoPool({ stage, globex }: World, pool: Pool): Promise<void> {
  const { client_secret, settings, ...row } = pool
  await stage
    .insertInto('pools')
    .values({
      ...row,
      name: 'Elsewhere',
      kind: 'cognito',
      login_mode: 'screens',
      client_secret_sealed: client_secret && seal(client_secret, `pool:${pool.id}`),
      settings: JSON.stringify({ sign_up: { tenant_id: globex }, ...settings }),
    })
    .execute()
}

const EMBEDDED = { current: async () => null } as unknown as IdentityPort

/** Makes each call in a separate request, as the screens do. */
export async function callCognito({ db }: World, pool_id: string): Promise<Caller> {
  const departure = await startSignIn(requestWith([]), pool_id, { redirect: '/', remember: false }, db)
  if (!departure) throw new Error(`There is no pool ${pool_id}`)
  const cookie = departure.cookies.map((one) => one.split(';')[0]).join('; ')
  const open = () =>
    createFrontPort(cookie, EMBEDDED, {
      database: db,
      report: (error) => {
        throw error
      },
    })
  return {
    async call(name, input = {}): Promise<Answer> {
      try {
        return (await answerOf(open(), name, input)) as Answer
      } catch (error) {
        if (!isIdentityError(error)) throw error
        return { name: error.name, message: error.message }
      }
    },
    secret: async () => (await open().current())?.totp?.secret ?? '',
  }
}
