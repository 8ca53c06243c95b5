import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { confirmApp, getAppSetUp } from '#app/api/contract/people/security.ts'
import { AppCode } from '#app/domain/account/security.ts'
import { drawQr } from '#app/routes/auth/qr.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { Page } from '#app/ui/page.tsx'
import stylesheet from '../auth/authenticator.css?url'
import { nextAfter, onTheWay, SECURITY } from './security.server.ts'
import { ConfirmApp, OneStepFirst } from './security-forms.tsx'

export const meta: MetaFunction = () => [{ title: 'Set up an authenticator app · Liftwell' }]

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const app = await api(getAppSetUp).catch(async (error: unknown) => {
    if (!(error instanceof Response) || (error.status !== 404 && error.status !== 409)) throw error
    throw await redirectWithToast(onTheWay(args.request, SECURITY), ENDED)
  })
  const isNeeded = searchOf(args.request).needed === 'true'
  return { app: { secret: app.secret, qr: drawQr(app.uri) }, isNeeded }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return saveForm(await args.request.formData(), AppCode, async (code) => {
    await api(confirmApp, code)
    return redirectWithToast(nextAfter(args.request), { title: 'Authenticator app set up' })
  })
}

/** What another tab did, and what was typed here too late, must not pass for a new second factor. */
const ENDED = {
  title: 'No app is being set up',
  message:
    'That was done or ended in another tab, or took longer than 15 minutes. What applies is shown here.',
  variant: 'info',
} as const

export default function SetUpApp() {
  const { app, isNeeded } = useLoaderData<typeof loader>()
  return (
    <Page narrow title="How you sign in">
      {isNeeded ? <OneStepFirst /> : null}
      <ConfirmApp app={app} />
    </Page>
  )
}
