import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { redirect } from '@remix-run/node'
import { Form, useLoaderData } from '@remix-run/react'
import { NOTIFICATIONS_PER_PAGE, NotificationPage } from '#app/domain/notifications/notification.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { SubmitButton } from '#app/ui/form.tsx'
import { Page } from '#app/ui/page.tsx'
import { stampOf } from '#app/ui/stamp.ts'
import { NotificationItem } from './notification-item.tsx'

export const meta: MetaFunction = () => [{ title: 'Notifications · Liftwell' }]

/** "View More" lets the list grow; nobody reads further than this. */
const MOST_PAGES = 10

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const wanted = Number(new URL(args.request.url).searchParams.get('page') ?? 1)
  const page = Number.isInteger(wanted) && wanted >= 1 ? Math.min(wanted, MOST_PAGES) : 1
  const [user, { data, pagination, unread }] = await Promise.all([
    api.get('/users/me', CurrentUser),
    api.get('/notifications', NotificationPage, { limit: page * NOTIFICATIONS_PER_PAGE }),
  ])
  const zone = user.timezone ?? user.current_tenant.timezone
  return {
    notifications: data.map((one) => ({ ...one, stamp: stampOf(one.created_on, zone) })),
    unread,
    next: pagination.total_pages > 1 && page < MOST_PAGES ? page + 1 : null,
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const form = await args.request.formData()
  const { pathname, search } = new URL(args.request.url)
  try {
    if (form.get('intent') === 'delete') await api.delete(`/notifications/${Number(form.get('id'))}`)
    else
      await api.patch('/notifications', { notification_ids: form.getAll('id').map(Number), has_read: true })
  } catch (error) {
    if (!(error instanceof Response)) throw error
    return redirectWithToast(pathname, {
      title: 'Error',
      message: 'That notification is gone.',
      variant: 'error',
    })
  }
  return redirect(`${pathname}${search}`)
}

export default function ListNotifications() {
  const { notifications, unread, next } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Notifications"
      lead={leadOf(notifications.length, unread)}
      action={
        unread > 0 ? (
          <Form method="post">
            {notifications.map((one) =>
              one.has_read ? null : <input key={one.id} type="hidden" name="id" value={one.id} />,
            )}
            <SubmitButton intent="read" variant="soft">
              Mark all as read
            </SubmitButton>
          </Form>
        ) : null
      }
      narrow
    >
      {notifications.length === 0 ? (
        <Empty
          title="No notifications to show"
          hint="Launches, answers and things that need you are told here."
        />
      ) : (
        <ul className="notifications">
          {notifications.map((one) => (
            <NotificationItem key={one.id} notification={one} />
          ))}
        </ul>
      )}
      {next ? (
        <ButtonLink to={`?page=${next}`} variant="soft">
          View More
        </ButtonLink>
      ) : null}
    </Page>
  )
}

function leadOf(shown: number, unread: number): string {
  if (shown === 0) return 'What happened while you were away.'
  return unread === 0 ? 'You have read them all.' : `${unread} not read yet.`
}
