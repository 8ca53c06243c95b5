import { useLocation, useRevalidator } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import type { Notification, StampedNotification } from '#app/domain/notifications/notification.ts'
import { Link } from '#app/ui/link.tsx'
import { Form } from './form/scoped-form.tsx'
import { Icon, type IconName } from './icons.tsx'

const ICONS: Record<Notification['notification_type'], IconName> = {
  warning: 'warning',
  success: 'success',
  launch: 'journeys',
  info: 'info',
}

/** Posts without leaving the page; false if it was refused or got no answer. Navigating away does not cancel it. */
export async function changeNotifications(form: FormData): Promise<boolean> {
  const request = { method: 'POST', body: form, keepalive: true }
  const answer = await fetch('/notifications/change', request).catch(() => null)
  return answer?.ok ?? false
}

/** With JavaScript a deleted notification disappears immediately, and returns if the server refuses. */
export function NotificationList({ notifications }: { notifications: readonly StampedNotification[] }) {
  const { pathname, search } = useLocation()
  const { revalidate } = useRevalidator()
  const [gone, setGone] = useState<readonly number[]>([])
  const [failed, setFailed] = useState<string | null>(null)

  async function remove(event: FormEvent<HTMLFormElement>, { id, content }: StampedNotification) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    form.set('intent', 'delete')
    setFailed(null)
    // Moves the focus to the next one, as the pressed button disappears.
    const item = event.currentTarget.closest('li')
    const beside = (item?.nextElementSibling ?? item?.previousElementSibling)?.querySelector('button')
    ;(beside ?? item?.parentElement)?.focus()
    setGone((ids) => [...ids, id])
    if (await changeNotifications(form)) return revalidate()
    setGone((ids) => ids.filter((one) => one !== id))
    setFailed(content.title)
  }

  const shown = notifications.filter(({ id }) => !gone.includes(id))
  return (
    <>
      <p className="notification-failed" role="alert">
        {failed ? `“${failed}” could not be deleted.` : null}
      </p>
      {shown.length === 0 ? <p className="notifications-none">No notifications to show</p> : null}
      <ul className="notifications" tabIndex={-1}>
        {shown.map((one) => (
          <li
            key={one.id}
            className="notification"
            data-type={one.notification_type}
            data-unread={one.has_read ? undefined : ''}
          >
            <Icon name={ICONS[one.notification_type]} />
            <div className="notification-words">
              <p className="notification-title">
                {one.content.path ? (
                  <Link to={one.content.path}>{one.content.title}</Link>
                ) : (
                  one.content.title
                )}
                {one.has_read ? null : <span className="hidden-words"> (not read yet)</span>}
              </p>
              <p>{one.content.message}</p>
              {one.stamp ? <time dateTime={one.created_on}>{one.stamp}</time> : null}
            </div>
            <Form method="post" action="/notifications" onSubmit={(event) => remove(event, one)}>
              <input type="hidden" name="from" value={`${pathname}${search}`} />
              <input type="hidden" name="id" value={one.id} />
              <button type="submit" name="intent" value="delete" className="icon-button">
                <Icon name="close" size={16} />
                <span className="hidden-words">{`Delete “${one.content.title}”${one.stamp && `, ${one.stamp}`}`}</span>
              </button>
            </Form>
          </li>
        ))}
      </ul>
    </>
  )
}
