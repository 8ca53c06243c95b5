/** What the one who is signed in was told. */
import {
  NotificationPage,
  NotificationQuery,
  NotificationsRead,
} from '#app/domain/notifications/notification.ts'
import { callsAbout } from './call.ts'
import { NOTHING, oneId } from './parts.ts'

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
