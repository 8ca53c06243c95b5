/** People, their notifications, and test lifts. */
import { idOut } from '#app/elsewhere/ids.server.ts'
import { readNotifications } from '#app/elsewhere/notifications.server.ts'
import { sendTest } from '../contract/lifts.ts'
import {
  deleteNotification,
  listNotifications,
  markNotificationsRead,
} from '../contract/people/notifications.ts'
import { getCurrentUser, inviteUser, inviteUsers } from '../contract/people/users.ts'
import { askAs, askWithoutId, bodyOf, type Translations } from './translated.server.ts'

type Ids = readonly (string | number)[]

export const OF_PEOPLE: Translations = [
  [getCurrentUser, async (_made, who) => who.user],
  [
    listNotifications,
    async ({ query }, who) => {
      const { limit, page } = query as { limit: number; page: number }
      const asked = { method: 'GET', path: ['notifications'], query: { limit, page } } as const
      return readNotifications(await askWithoutId(who, asked))
    },
  ],
  [
    markNotificationsRead,
    async (made, who) => {
      const notification_ids = (bodyOf(made).notification_ids as Ids).map(idOut)
      const body = { notification_ids, has_read: true }
      await askAs(who, { method: 'PATCH', path: ['notifications'], body })
      return {}
    },
  ],
  [
    deleteNotification,
    async ({ ids }, who) => {
      await askAs(who, { method: 'DELETE', path: ['notifications', String(ids.id)] })
      return {}
    },
  ],
  [
    inviteUser,
    async ({ ids }, who) => {
      await askAs(who, { method: 'POST', path: ['auth', 'resend-welcome-email', String(ids.id)] })
      return { user_id: ids.id, result: 'sent' }
    },
  ],
  [
    inviteUsers,
    async (made, who) => {
      const user_ids = bodyOf(made).user_ids as Ids
      const body = { user_ids: user_ids.map(idOut) }
      await askAs(who, { method: 'POST', path: ['auth', 'resend-welcome-email'], body })
      return { data: user_ids.map((user_id) => ({ user_id, result: 'sent' })) }
    },
  ],
  [
    sendTest,
    async (made, who) => {
      const phones = bodyOf(made).phones as readonly string[]
      await askAs(who, {
        method: 'POST',
        path: ['lifts', String(made.ids.id), 'send_test'],
        body: { phones },
      })
      return { data: phones.map((phone) => ({ phone, state: 'queued' })) }
    },
  ],
]
