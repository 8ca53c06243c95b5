import * as calls from '#app/api/contract/people/notifications.ts'
import { serve } from '#app/api/serve.server.ts'
import {
  deleteNotification,
  listNotifications,
  markRead,
} from '#app/domain/notifications/notifications.server.ts'

export const notifications = serve(calls, {
  listNotifications: ({ scope, query }) => listNotifications(scope, query),
  markNotificationsRead: async ({ scope, body }) => {
    await markRead(scope, body)
    return {}
  },
  deleteNotification: async ({ scope, ids }) => {
    await deleteNotification(scope, ids.id)
    return {}
  },
})
