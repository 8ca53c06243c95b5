import type { SubmissionResult } from '@conform-to/react'
import {
  type ActionFunctionArgs,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import {
  changePassword,
  chooseSecondFactor,
  confirmApp,
  getAppSetUp,
  getSecurity,
  setUpApp,
} from '#app/api/contract/people/security.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { AppCode, FactorForm, NewPasswordInput, PasswordForm } from '#app/domain/account/security.ts'
import { drawQr } from '#app/routes/auth/qr.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from '../auth/authenticator.css?url'
import { ChangePassword, ChooseFactor, ConfirmApp } from './security-forms.tsx'

const HERE = '/settings/security'

export const meta: MetaFunction = () => [{ title: 'How you sign in · Liftwell' }]

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const isSettingUp = new URL(args.request.url).searchParams.get('step') === 'app'
  const [security, app] = await Promise.all([
    api(getSecurity),
    isSettingUp ? api(getAppSetUp).catch(unlessGone) : null,
  ])
  // It waits for a quarter of an hour only.
  if (isSettingUp && app === null) throw redirect(hereWith(args.request))
  const isNeeded = new URL(args.request.url).searchParams.get('needed') === 'true'
  return { security, app: app && { secret: app.secret, qr: drawQr(app.uri) }, isNeeded }
}

function unlessGone(error: unknown): null {
  if (error instanceof Response && (error.status === 404 || error.status === 409)) return null
  throw error
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const intent = requireIntent(formData, ['choose_factor', 'confirm_app', 'change_password'])
  if (intent === 'confirm_app') return confirmNewApp(api, formData, args.request)
  if (intent === 'change_password') return changeOwnPassword(api, formData)
  return chooseFactor(api, formData, args.request)
}

/** This page, and where its visitor was going when they were led here. */
function hereWith(request: Request, more: Record<string, string> = {}): string {
  const wanted = new URL(request.url).searchParams.get('redirect')
  const search = new URLSearchParams({
    ...(wanted === null ? {} : { needed: 'true', redirect: redirectTarget(wanted) }),
    ...more,
  })
  return search.size > 0 ? `${HERE}?${search}` : HERE
}

const nextAfter = (request: Request): string =>
  redirectTarget(new URL(request.url).searchParams.get('redirect'), HERE)

type FormName = 'factor' | 'app' | 'password'

/** Says which of the forms was refused; passwords do not come back with what is wrong. */
function answer(form: FormName, { data: result, init }: Awaited<ReturnType<typeof refuse>>) {
  const kept = Object.entries(result.initialValue ?? {}).filter(([name]) => !name.includes('password'))
  const refused: SubmissionResult<string[]> = { ...result, initialValue: Object.fromEntries(kept) }
  return data({ form, result: refused }, init ?? {})
}

async function chooseFactor(api: ApiClient, formData: FormData, request: Request) {
  const submission = readForm(formData, FactorForm)
  if (submission.status !== 'success') return answer('factor', await refuse(submission))
  const { preferred: choice, password } = submission.value
  try {
    if (choice === 'new_app') {
      await api(setUpApp, { password })
      return redirect(hereWith(request, { step: 'app' }))
    }
    const preferred = choice === 'sms' ? 'SMS_MFA' : choice === 'app' ? 'SOFTWARE_TOKEN_MFA' : null
    await api(chooseSecondFactor, { preferred, password })
  } catch (error) {
    return answer('factor', await refuse(submission, error))
  }
  return redirectWithToast(nextAfter(request), {
    title: choice === 'none' ? 'Second factor removed' : 'Second factor changed',
  })
}

async function confirmNewApp(api: ApiClient, formData: FormData, request: Request) {
  const submission = readForm(formData, AppCode)
  if (submission.status !== 'success') return answer('app', await refuse(submission))
  try {
    await api(confirmApp, submission.value)
  } catch (error) {
    return answer('app', await refuse(submission, error))
  }
  return redirectWithToast(nextAfter(request), { title: 'Authenticator app set up' })
}

async function changeOwnPassword(api: ApiClient, formData: FormData) {
  const submission = readForm(formData, PasswordForm)
  if (submission.status !== 'success') return answer('password', await refuse(submission))
  try {
    await api(changePassword, NewPasswordInput.parse(submission.value))
  } catch (error) {
    return answer('password', await refuse(submission, error))
  }
  return redirectWithToast('/login', {
    title: 'Password changed',
    message: 'Sign in with the new one.',
  })
}

export default function EditSecurity() {
  const { security, app, isNeeded } = useLoaderData<typeof loader>()
  const refused = useActionData<typeof action>()
  const of = (form: FormName) => (refused?.form === form ? refused.result : null)
  return (
    <Page
      narrow
      title="How you sign in"
      lead="Your password, and the second factor that is asked for after it."
      action={
        <ButtonLink to="/settings/profile" variant="soft" color="gray">
          Your profile
        </ButtonLink>
      }
    >
      {isNeeded && security.preferred === null ? (
        <div className="banner" data-accent-color="amber" role="status">
          <p>
            <strong>One step first:</strong> you need a second factor here. Once it is set up, you go on where
            you were going.
          </p>
        </div>
      ) : null}
      {security.is_ours ? (
        <>
          {app ? (
            <ConfirmApp app={app} lastResult={of('app')} />
          ) : (
            <ChooseFactor security={security} lastResult={of('factor')} />
          )}
          <ChangePassword lastResult={of('password')} />
        </>
      ) : (
        <p>Your company manages your password and second factor in its own sign-in.</p>
      )}
    </Page>
  )
}
