import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { updateProfile } from '#app/api/contract/people/users.ts'
import { listTimezones } from '#app/api/contract/tenancy/tenants.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { getConfig } from '#app/config.server.ts'
import { ProfileForm, WelcomeForm } from '#app/domain/account/profile-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { Page } from '#app/ui/page.tsx'
import { ProfileElsewhere } from './profile-elsewhere.tsx'
import { ProfileFields } from './profile-form.tsx'
import { ProfileTabs } from './profile-tabs.tsx'
import { WelcomeFields } from './welcome-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Your profile · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const is_ours = !getConfig().WEB_TIER
  const [user, timezones] = await Promise.all([
    readCurrentUser(args, visitor),
    is_ours ? api(listTimezones) : [],
  ])
  return { user, timezones, is_ours }
}

export async function action(args: ActionFunctionArgs) {
  const { api, principal } = await requireDashboard(args)
  const mustAccept = principal.accepted_terms_on === null
  const schema = mustAccept && !getConfig().WEB_TIER ? WelcomeForm : ProfileForm
  const submission = readForm(await args.request.formData(), schema)
  if (submission.status !== 'success') return refuse(submission)

  const { accept_terms_and_conditions, sms_opt_in, sms_opt_in_before, ...input } = submission.value
  if (mustAccept && !accept_terms_and_conditions) {
    const fieldErrors = { accept_terms_and_conditions: ['Please accept the terms and conditions'] }
    return data(submission.reply({ fieldErrors }), { status: 400 })
  }

  const terms = mustAccept ? { accept_terms_and_conditions: true as const } : {}
  const isSaid = sms_opt_in_before !== undefined && sms_opt_in !== (sms_opt_in_before === 'yes')
  try {
    await api(updateProfile, { ...input, ...terms, ...(isSaid ? { sms_opt_in } : {}) })
  } catch (error) {
    return refuse(submission, error)
  }
  const wanted = new URL(args.request.url).searchParams.get('redirect')
  const next = redirectTarget(wanted, mustAccept ? '/' : '/settings/profile')
  return redirectWithToast(next, { title: mustAccept ? 'Terms accepted' : 'Profile saved' })
}

export default function EditProfile() {
  const { user, timezones, is_ours } = useLoaderData<typeof loader>()
  const accepted = user.accept_terms_and_conditions
  if (!accepted && is_ours)
    return (
      <Page
        narrow
        title={`Welcome, ${isolated(user.first_name)}`}
        lead="One step before you begin: please read the terms and accept them."
      >
        <WelcomeFields user={user} timezones={timezones} />
      </Page>
    )
  return (
    <Page narrow title="Your profile" lead="How colleagues see you, and how lifts reach you.">
      {accepted && is_ours ? <ProfileTabs /> : null}
      {is_ours ? <ProfileFields user={user} timezones={timezones} /> : <ProfileElsewhere user={user} />}
    </Page>
  )
}
