/** `npm run super-admin:add -- <e-mail>` and `npm run super-admin:remove -- <e-mail>`, while Liftwell runs. */
import { EmailAddress } from '#app/domain/text/text.ts'
import { addSuperAdmin, removeSuperAdmin } from '#app/domain/users/super-admins.server.ts'
import { readArguments } from './arguments.ts'
import { asOperator } from './as-operator.ts'
import { report } from './report.ts'

const usage = 'npm run super-admin:add -- <e-mail>, or super-admin:remove'
const [what = '', typed = ''] = readArguments({ usage, least: 2, most: 2 })

async function run(): Promise<string> {
  const { data: email } = EmailAddress.safeParse(typed)
  if (!email) throw new Error(`${typed} is not an e-mail address.`)
  if (what === 'remove') {
    await asOperator((scope) => removeSuperAdmin(scope, email))
    return `${email} is no longer a super admin, and logged out: the account is deactivated.`
  }
  await asOperator((scope) => addSuperAdmin(scope, email))
  return `${email} is a super admin now. People who have not signed in yet get an invitation by e-mail.`
}

await report(run())
