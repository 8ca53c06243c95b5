/** What the embedded provider needs from the platform: pools, a carrier, who needs a second factor, who may sign up. */
import { findPrincipal, hasPerson } from '#app/auth/bearer.server.ts'
import { embeddedPools, findPool, type Pool } from '#app/auth/pools/pools.server.ts'
import type { Config } from '#app/config.server.ts'
import type { Databases } from '#app/db/databases.server.ts'
import { signInMail } from '#app/domain/account/sign-in-mail.ts'
import { secondFactorIsDue } from '#app/domain/authenticator/second-factor.server.ts'
import { findCompany, findJoined } from '#app/domain/pools/companies.server.ts'
import { tenantOfDomain } from '#app/domain/pools/email-domains.server.ts'
import { type Database, inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import { inTheirZone } from '#app/domain/text/in-their-zone.ts'
import { admit, takeNames } from '#app/domain/users/admission.server.ts'
import { readInvitee } from '#app/domain/users/invitations/invitations.server.ts'
import type { Message as Carried } from '#app/integrations/carrier.ts'

type Setting = {
  databases: Pick<Databases, 'app'>
  send(message: Carried): Promise<void>
  config: Pick<Config, 'DEMO'>
}
type Account = { pool: string; sub: string }
type Message = Account & {
  channel: 'email' | 'sms'
  recipient: string
  subject: string
  body: string
  button?: { label: string; url: string }
  note?: string
  key: string
}

export function createHouse({ databases: { app }, send, config }: Setting) {
  return {
    pools: () => listPools(app),

    async hasPerson({ pool, sub }: Account): Promise<boolean> {
      return hasPerson(app, await requirePool(app, pool), sub)
    },

    async requiresMfa({ pool, sub }: Account): Promise<boolean> {
      const person = await findPerson(app, pool, sub)
      return person !== null && secondFactorIsDue(person, config.DEMO)
    },

    async admit({
      pool: id,
      sub,
      email,
      attributes,
    }: Account & {
      email: string
      attributes: Record<string, string>
    }): Promise<void> {
      const pool = await requirePool(app, id)
      if (await findPrincipal(app, pool, sub)) return
      const { sign_up } = pool.settings
      if (!sign_up) throw new Error(`The pool ${id} takes nobody in.`)
      await admit(app, { ...sign_up, email, attributes, issuer: pool.issuer, subject: sub })
    },

    async takeNames({ pool, sub, attributes }: Account & { attributes: Record<string, string> }) {
      const person = await findPerson(app, pool, sub)
      if (person) await takeNames(app, person, attributes)
    },

    async companyOf({ pool: id, email }: { pool: string; email: string }): Promise<string | null> {
      return findCompany(app, await requirePool(app, id), email)
    },

    async sayWhen({ pool, sub }: Account, at: Date): Promise<string> {
      const person = await findPerson(app, pool, sub)
      const known =
        person &&
        (await inScope(app, systemActor(person.tenant_id), (home) => readInvitee(home, person.user_id)))
      return inTheirZone(at, known?.zone ?? 'UTC')
    },

    /** An address at a company's own domain may join that company and no other. */
    async maySignUp({ pool: id, email }: { pool: string; email: string }): Promise<boolean> {
      const [pool, owner] = await Promise.all([requirePool(app, id), tenantOfDomain(app, email)])
      return owner === null || owner === pool.settings.sign_up?.tenant_id
    },

    /** In the name of the person's company; for an unknown person, of the company that takes sign-ups, or the operator. */
    async deliver({ pool, sub, channel, recipient: to, subject, key, ...said }: Message): Promise<void> {
      const person = await findPerson(app, pool, sub)
      const tenant_id =
        person?.tenant_id ??
        (await requirePool(app, pool)).settings.sign_up?.tenant_id ??
        (await findOperator(app))
      if (!tenant_id) throw new Error('There is no company in whose name to write.')
      const mail = channel === 'email' ? signInMail(subject, said) : { subject, text: said.body }
      await send({ tenant_id, key, channel, to, ...mail })
    },
  }
}

async function listPools(database: Database) {
  const pools = await embeddedPools(database)
  const joined = await findJoined(database, pools)
  return pools.map(({ id, client_id, name, settings, is_default }) => {
    const { password_policy, reveals_users, initial_screen, required_attributes } = settings
    const joins = joined.get(id) ?? null
    return {
      id,
      client_id,
      name: is_default ? name : PRODUCT,
      screens: {
        initial_screen,
        required_attributes,
        social_providers: [],
        sign_up: joins !== null,
        joins,
      },
      password_policy,
      reveals_users,
    }
  })
}

const PRODUCT = 'Liftwell'

async function requirePool(database: Database, id: string): Promise<Pool> {
  const pool = await findPool(database, id)
  if (!pool) throw new Error(`There is no pool ${id}.`)
  return pool
}

const findPerson = async (database: Database, pool: string, sub: string) =>
  findPrincipal(database, await requirePool(database, pool), sub)

const findOperator = (database: Database): Promise<string | undefined> =>
  inScope(database, operatorActor(), async ({ db }) => {
    const row = await db.selectFrom('tenants').select('id').where('is_operator', '=', true).executeTakeFirst()
    return row?.id
  })
