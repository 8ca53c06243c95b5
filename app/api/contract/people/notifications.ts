import { callsAbout } from '#app/api/contract/call.ts'
import { NOTHING, oneId } from '#app/api/contract/parts.ts'
import {
  NotificationPage,
  NotificationQuery,
  NotificationsRead,
} from '#app/domain/notifications/notification.ts'

const { get, patch, remove } = callsAbout('Notifications')

export const listNotifications = get('/notifications', {
  does: 'A page of the caller’s notifications, newest first',
  may: 'signed in',
  query: NotificationQuery,
  answers: NotificationPage,
})

export const markNotificationsRead = patch('/notifications', {
  does: 'Mark notifications as read',
  may: 'signed in',
  body: NotificationsRead,
  answers: NOTHING,
  audited: false,
})

export const deleteNotification = remove('/notifications/{id}', {
  does: 'Delete a notification',
  may: 'signed in',
  ids: oneId,
  answers: NOTHING,
  audited: false,
})
