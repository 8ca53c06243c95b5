import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { chooseSecondFactor, getSecurity, setUpApp } from '#app/api/contract/people/security.ts'
import { FactorForm } from '#app/domain/account/security.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { Page } from '#app/ui/page.tsx'
import { ProfileTabs } from './profile-tabs.tsx'
import { nextAfter, onTheWay, SECURITY, saveSecret } from './security.server.ts'
import { ChooseFactor, OneStepFirst } from './security-forms.tsx'

export const meta: MetaFunction = () => [{ title: 'How you sign in · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { step, needed } = searchOf(args.request)
  // The former URL.
  if (step === 'app') throw redirect(onTheWay(args.request, `${SECURITY}/app`))
  return { security: await api(getSecurity), isNeeded: needed === 'true' }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const sent = await args.request.formData()
  return saveSecret(sent, FactorForm, async ({ preferred: choice, password }) => {
    if (choice === 'new_app') {
      await api(setUpApp, { password })
      return redirect(onTheWay(args.request, `${SECURITY}/app`))
    }
    const preferred = choice === 'sms' ? 'SMS_MFA' : choice === 'app' ? 'SOFTWARE_TOKEN_MFA' : null
    await api(chooseSecondFactor, { preferred, password })
    return redirectWithToast(nextAfter(args.request), {
      title: choice === 'none' ? 'Second factor removed' : 'Second factor changed',
    })
  })
}

export default function EditSecurity() {
  const { security, isNeeded } = useLoaderData<typeof loader>()
  return (
    <Page
      narrow
      title="How you sign in"
      lead="Your password, and the second factor that is asked for after it."
    >
      <ProfileTabs />
      {isNeeded && security.preferred === null ? <OneStepFirst /> : null}
      {security.is_ours ? (
        <>
          <ChooseFactor security={security} />
          <FormSection title="Password" help="Changing it logs you out everywhere, including here.">
            <p>
              <ButtonLink to="/settings/security/password" variant="soft">
                Change password
              </ButtonLink>
            </p>
          </FormSection>
        </>
      ) : (
        <p>Your company manages your password and second factor in its own sign-in.</p>
      )}
    </Page>
  )
}
