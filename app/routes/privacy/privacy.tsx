import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getOwnMailStops } from '#app/api/contract/people/mail-stops.ts'
import {
  getConsents,
  getNotificationPreferences,
  setConsents,
  setNotificationPreferences,
} from '#app/api/contract/people/privacy.ts'
import { MUTABLE_TYPES } from '#app/domain/privacy/preferences.ts'
import { mayHaveSummary } from '#app/domain/privacy/summary-role.ts'
import { zoneAtHome } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { ProfileTabs } from '#app/routes/settings/profile-tabs.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Page } from '#app/ui/page.tsx'
import { MailStopsSection } from './mail-stops-section.tsx'
import { ConsentSection, PlainCheckbox } from './privacy-parts.tsx'

const HERE = '/settings/privacy'

export const meta: MetaFunction = () => [{ title: 'Privacy and notifications · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const [{ muted, weekly_summary }, consents, user, stops] = await Promise.all([
    api(getNotificationPreferences),
    api(getConsents),
    readCurrentUser(args, visitor),
    api(getOwnMailStops),
  ])
  return {
    ...{ muted, consents, stops },
    // People who are no longer administrator or author can still turn it off.
    weekly_summary: weekly_summary || mayHaveSummary(user.user_general_roles) ? weekly_summary : null,
    is_sponsor: user.is_sponsor,
    zone: zoneAtHome(user),
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = await args.request.formData()
  const intent = requireIntent(form, ['notifications', 'consents'])
  try {
    if (intent === 'notifications') {
      const muted = MUTABLE_TYPES.filter((type) => !form.has(type))
      const summary = form.has('offered') ? { weekly_summary: form.has('weekly_summary') } : {}
      await api(setNotificationPreferences, { muted, ...summary })
    } else if (isSaid(form)) await api(setConsents, { sms_opt_in: form.has('sms_opt_in') })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 422) throw error
    const message = 'There is no number on file that messages could go to.'
    return redirectWithToast(HERE, { title: 'Error', message, variant: 'error' })
  }
  return redirectWithToast(HERE, { title: 'Saved' })
}

/** Only a changed checkbox counts as consent or opt-out: an outdated page does not revert a STOP. */
const isSaid = (form: FormData) => form.has('sms_opt_in') !== (form.get('before') === 'yes')

export default function EditPrivacy() {
  const { muted, weekly_summary, is_sponsor, consents, stops, zone } = useLoaderData<typeof loader>()
  return (
    <Page narrow title="Privacy and notifications" lead="Your notifications, your consent, and your data.">
      <ProfileTabs />
      <NotificationsSection {...{ muted, weekly_summary, is_sponsor }} />
      <MailStopsSection stops={stops} />
      <ConsentSection consents={consents} zone={zone} />
      <FormSection
        title="Your data"
        help="Everything stored about you, as one file. Your administrator can erase it for good."
      >
        <p>
          <ButtonLink to="/settings/privacy/data" variant="soft" reloadDocument>
            Download your data
          </ButtonLink>
        </p>
      </FormSection>
    </Page>
  )
}

const TYPES: Record<(typeof MUTABLE_TYPES)[number], string> = {
  launch: 'New journeys and lifts',
  success: 'Finished journeys, imports and exports, and commitments that your sponsor saw',
  info: 'Changes in your company',
  brief: 'Which of your learners need attention, by e-mail on Mondays',
}

type NotificationsSectionProps = {
  muted: readonly string[]
  weekly_summary: boolean | null
  is_sponsor: boolean
}

function NotificationsSection({ muted, weekly_summary, is_sponsor }: NotificationsSectionProps) {
  return (
    <Form method="post" key={`notifications-${muted.join()}-${weekly_summary}`}>
      <FormSection title="Notifications" help="Warnings are always shown.">
        {MUTABLE_TYPES.map((type) =>
          type === 'brief' && !is_sponsor ? (
            <input key={type} type="hidden" name={type} value="on" disabled={muted.includes(type)} />
          ) : (
            <PlainCheckbox key={type} name={type} label={TYPES[type]} checked={!muted.includes(type)} />
          ),
        )}
        {weekly_summary === null ? null : (
          <>
            <input type="hidden" name="offered" value="summary" />
            <PlainCheckbox
              name="weekly_summary"
              label="How your journeys did last week, by e-mail on Mondays if anything was due or is planned"
              checked={weekly_summary}
            />
          </>
        )}
        <div>
          <SubmitButton intent="notifications" variant="soft">
            Save notifications
          </SubmitButton>
        </div>
      </FormSection>
    </Form>
  )
}
