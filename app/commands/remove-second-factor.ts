/** `npm run second-factor:remove -- <e-mail>`: for a super admin who has lost their phone, while Liftwell runs. */
import { getConfig } from '#app/config.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { findRunningUrl } from '#app/db/running-url.server.ts'
import { takeSecondFactorOf } from '#app/domain/account/others-security.server.ts'
import { inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import { readArguments } from './arguments.ts'
import { report } from './report.ts'

const [email = ''] = readArguments({ usage: 'npm run second-factor:remove -- <e-mail>', least: 1, most: 1 })

async function run(): Promise<string> {
  const database = connect(await findRunningUrl(getConfig(), 'worker'), { max: 1, name: 'liftwell command' })
  try {
    const { id: operator } = await inScope(database, operatorActor(), ({ db }) =>
      db.selectFrom('tenants').select('id').where('is_operator', '=', true).executeTakeFirstOrThrow(),
    )
    await inScope(database, systemActor(operator), async (scope) => {
      const found = scope.db.selectFrom('users').select('id').where('email', '=', email)
      const person = await found.executeTakeFirst()
      if (!person)
        throw new Error(
          `No super admin has the e-mail address ${email}. Other people’s administrator does it, on their page under Users.`,
        )
      await takeSecondFactorOf(scope, person.id)
    })
    return `${email} is logged out everywhere, signs in with their password next, and sets up a new second factor where one is required. A mail tells them.`
  } finally {
    await database.destroy()
  }
}

await report(run())
