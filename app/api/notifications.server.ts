/** What the one who is signed in was told. */
import { createRoute, z } from '@hono/zod-openapi'
import {
  NotificationPage,
  NotificationQuery,
  NotificationsRead,
} from '#app/domain/notifications/notification.ts'
import {
  deleteNotification,
  listNotifications,
  markRead,
} from '#app/domain/notifications/notifications.server.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Notifications']

const list = createRoute({
  method: 'get',
  path: '/',
  tags,
  summary: 'A page of one’s notifications, newest first',
  request: { query: NotificationQuery },
  responses: { 200: answer(NotificationPage), ...refusals },
})

const read = createRoute({
  method: 'patch',
  path: '/',
  tags,
  summary: 'Mark notifications as read',
  request: body(NotificationsRead),
  responses: { 200: answer(NOTHING), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a notification',
  request: { params: z.object({ id: NumericId }) },
  responses: { 200: answer(NOTHING), ...refusals },
})

export const notificationsApi = createRouter()
  .openapi(list, async (c) => c.json(await listNotifications(c.var.scope, c.req.valid('query')), 200))
  .openapi(read, async (c) => {
    await markRead(c.var.scope, c.req.valid('json'))
    return c.json({}, 200)
  })
  .openapi(remove, async (c) => {
    await deleteNotification(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
