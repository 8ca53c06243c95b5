import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard, requireVisitor } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { NotificationList } from '#app/ui/notification-list.tsx'
import { Page } from '#app/ui/page.tsx'
import { changeNotifications } from './change.server.ts'
import { pagesAsked, readTold } from './told.server.ts'

export const meta: MetaFunction = () => [{ title: 'Notifications · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  return readTold(visitor.api, readCurrentUser(args, visitor), pagesAsked(args.request))
}

/** Posted by this page, and by the popover of every other page without JavaScript. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireVisitor(args)
  const form = await args.request.formData()
  const { pathname, search } = new URL(args.request.url)
  const from = form.get('from')
  const back = redirectTarget(typeof from === 'string' ? from : null, `${pathname}${search}`)
  const problem = await changeNotifications(api, form)
  return problem
    ? redirectWithToast(back, { title: 'Error', message: problem, variant: 'error' })
    : redirect(back)
}

export default function ListNotifications() {
  const { notifications, unread, is_capped, next } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Notifications"
      lead={leadOf(notifications.length, unread, is_capped)}
      action={
        unread > 0 ? (
          <Form method="post">
            <input type="hidden" name="newest" value={notifications[0]?.created_on} />
            <SubmitButton intent="read_all" variant="soft">
              Mark all as read
            </SubmitButton>
          </Form>
        ) : null
      }
      narrow
    >
      <NotificationList notifications={notifications} />
      {next ? (
        <ButtonLink to={`?page=${next}`} variant="soft" preventScrollReset>
          View More
        </ButtonLink>
      ) : null}
    </Page>
  )
}

function leadOf(shown: number, unread: number, isCapped: boolean): string {
  if (shown === 0) return 'News about your journeys and your company.'
  return unread === 0 ? 'You have read everything.' : `${unread}${isCapped ? '+' : ''} not read yet.`
}
