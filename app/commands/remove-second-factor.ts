/** `npm run second-factor:remove -- <e-mail>`: for a super admin who has lost their phone, while Liftwell runs. */
import { getConfig } from '#app/config.server.ts'
import { hasAddress } from '#app/db/has-address.server.ts'
import { openPool } from '#app/db/pool.server.ts'
import { findRunningUrl } from '#app/db/running-url.server.ts'
import { takeSecondFactorOf } from '#app/domain/account/others-security.server.ts'
import { findBySub } from '#app/identity/users.server.ts'
import { readArguments } from './arguments.ts'
import { asOperator } from './as-operator.ts'
import { report } from './report.ts'

const [email = ''] = readArguments({ usage: 'npm run second-factor:remove -- <e-mail>', least: 1, most: 1 })

async function run(): Promise<string> {
  const identity = openPool(await findRunningUrl(getConfig(), 'identity'), { max: 1 })
  await asOperator(async (scope) => {
    const found = scope.db.selectFrom('users').select('id').where(hasAddress(email))
    const person = await found.executeTakeFirst()
    if (!person)
      throw new Error(
        `No super admin has the e-mail address ${email}. Other people’s administrator does it, on their page under Users.`,
      )
    // An account of another provider is not found here: that provider knows.
    await takeSecondFactorOf(
      scope,
      person.id,
      async ({ pool, sub }) => (await findBySub(identity, pool, sub))?.preferred_mfa !== null,
    )
  }).finally(() => identity.end())
  return `${email} is logged out everywhere, signs in with their password next, and sets up a new second factor where one is required. A mail tells them.`
}

await report(run())
