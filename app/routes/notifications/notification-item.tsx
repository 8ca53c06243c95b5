import { Form } from '@remix-run/react'
import type { Notification } from '#app/domain/notifications/notification.ts'
import { Icon, type IconName } from '#app/ui/icons.tsx'

const ICONS: Record<Notification['notification_type'], IconName> = {
  warning: 'warning',
  success: 'success',
  launch: 'journeys',
  info: 'info',
}

export function NotificationItem({ notification }: { notification: Notification & { stamp: string } }) {
  const { id, content, notification_type: type, has_read, stamp, created_on } = notification
  return (
    <li className="notification" data-type={type} data-unread={has_read ? undefined : ''}>
      <Icon name={ICONS[type]} />
      <div className="notification-words">
        <p className="notification-title">
          {content.title}
          {has_read ? null : <span className="hidden-words"> (not read yet)</span>}
        </p>
        <p>{content.message}</p>
        <time dateTime={created_on}>{stamp}</time>
      </div>
      <Form method="post" preventScrollReset>
        <input type="hidden" name="id" value={id} />
        <button type="submit" name="intent" value="delete" className="icon-button">
          <Icon name="close" size={16} />
          <span className="hidden-words">Delete “{content.title}”</span>
        </button>
      </Form>
    </li>
  )
}
