import { VisuallyHidden } from '@radix-ui/themes'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getSecurity } from '#app/api/contract/people/security.ts'
import { endOtherSessions, endSession, listSessions } from '#app/api/contract/people/sessions.ts'
import type { Session } from '#app/domain/users/session.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { Badge } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import { ProfileTabs } from './profile-tabs.tsx'

const HERE = '/settings/sessions'

export const meta: MetaFunction = () => [{ title: 'Where you are signed in · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const [{ data: sessions }, { is_ours }] = await Promise.all([api(listSessions), api(getSecurity)])
  return { sessions, is_ours }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = await args.request.formData()
  const id = form.get('id')
  if (intentOf(form, ['end_others'])) {
    await api(endOtherSessions)
    return redirectWithToast(HERE, { title: 'You are logged out everywhere else' })
  }
  if (typeof id !== 'string') return data(null, { status: 400 })
  try {
    await api(endSession, { id })
  } catch (error) {
    // The session has ended meanwhile, which is the wanted result.
    if (!(error instanceof Response) || error.status !== 404) throw error
  }
  return redirectWithToast(HERE, { title: 'Logged out there' })
}

export default function ListSessions() {
  const { sessions, is_ours } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Where you are signed in"
      lead={`Don’t recognize a device? Log it out${is_ours ? ' and change your password' : ''}.`}
      action={
        <>
          {is_ours ? (
            <ButtonLink to="/settings/security/password" variant="soft" color="gray">
              Change password
            </ButtonLink>
          ) : null}
          {sessions.length > 1 ? (
            <Form method="post">
              <SubmitButton intent="end_others" variant="soft">
                Log out everywhere else
              </SubmitButton>
            </Form>
          ) : null}
        </>
      }
    >
      <ProfileTabs />
      <DataTable
        caption="Your sessions"
        rows={sessions}
        rowKey={(session) => session.id}
        columns={[
          { key: 'browser', label: 'Browser', render: ({ browser }) => browser ?? 'Unknown browser' },
          {
            key: 'created_on',
            label: 'Signed in',
            render: ({ created_on }) => <Day at={created_on} timed />,
          },
          {
            key: 'last_seen_on',
            label: 'Last seen',
            render: ({ last_seen_on }) => <Day at={last_seen_on} timed />,
          },
          { key: 'expires_on', label: 'Until', render: ({ expires_on }) => <Day at={expires_on} timed /> },
          { key: 'id', label: 'Log out', hideLabel: true, render: (session) => <End session={session} /> },
        ]}
      />
    </Page>
  )
}

function End({ session }: { session: Session }) {
  if (session.is_current) return <Badge tone="success">This browser</Badge>
  return (
    <Form method="post">
      <input type="hidden" name="id" value={session.id} />
      <SubmitButton variant="ghost">
        Log out <VisuallyHidden>{session.browser ?? 'the unknown browser'}</VisuallyHidden>
      </SubmitButton>
    </Form>
  )
}
