import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { changePassword, getSecurity } from '#app/api/contract/people/security.ts'
import { NewPasswordInput, PasswordForm } from '#app/domain/account/security.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'
import { SECURITY, saveSecret } from './security.server.ts'
import { ChangePassword } from './security-forms.tsx'

export const meta: MetaFunction = () => [{ title: 'Change password · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  if (!(await api(getSecurity)).is_ours) throw redirect(SECURITY)
  return null
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return saveSecret(await args.request.formData(), PasswordForm, async (typed) => {
    await api(changePassword, NewPasswordInput.parse(typed))
    return redirectWithToast('/login', { title: 'Password changed', message: 'Sign in with the new one.' })
  })
}

export default function EditPassword() {
  return (
    <Page narrow title="Change password" lead="This logs you out everywhere, including here.">
      <ChangePassword />
    </Page>
  )
}
