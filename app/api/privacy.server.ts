/** What people decide about their own data, and what administrators do for them. */
import { createRoute, z } from '@hono/zod-openapi'
import { exportPerson } from '#app/domain/privacy/data-export.server.ts'
import { erasePerson } from '#app/domain/privacy/erasure.server.ts'
import {
  getConsents,
  getNotificationPreferences,
  recordOptOut,
  setConsents,
  setNotificationPreferences,
} from '#app/domain/privacy/preferences.server.ts'
import { Consents, ConsentsInput, NotificationPreferences } from '#app/domain/privacy/preferences.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Privacy']
const one = { params: z.object({ id: NumericId }) }

const readPreferences = createRoute({
  method: 'get',
  path: '/me/notification_preferences',
  tags,
  summary: 'Which notifications the person does not want',
  responses: { 200: answer(NotificationPreferences), ...refusals },
})

const writePreferences = createRoute({
  method: 'put',
  path: '/me/notification_preferences',
  tags,
  summary: 'Switch types of notifications off or on',
  request: body(NotificationPreferences),
  responses: { 200: answer(NotificationPreferences), ...refusals },
})

const readConsents = createRoute({
  method: 'get',
  path: '/me/consents',
  tags,
  summary: 'What the person agreed to, with the wording, and when',
  responses: { 200: answer(Consents), ...refusals },
})

const writeConsents = createRoute({
  method: 'put',
  path: '/me/consents',
  tags,
  summary: 'Agree to text messages, or end them',
  request: body(ConsentsInput),
  responses: { 200: answer(Consents), ...refusals },
})

const download = createRoute({
  method: 'get',
  path: '/{id}/data_export',
  tags,
  summary: 'All that is stored about a person: one’s own, or anybody’s for administrators',
  request: one,
  responses: { 200: answer(z.record(z.string(), z.unknown())), ...refusals },
})

const optOut = createRoute({
  method: 'post',
  path: '/{id}/opt_out',
  tags,
  summary: 'Write down that a person wants no more text messages; only the person says yes again',
  request: one,
  responses: { 200: answer(NOTHING), ...refusals },
})

const erase = createRoute({
  method: 'post',
  path: '/{id}/erasure',
  tags,
  summary: 'Forget a person, for good: their place in the figures stays',
  request: one,
  responses: { 200: answer(NOTHING), ...refusals },
})

export const privacyApi = createRouter()
  .openapi(readPreferences, async (c) => c.json(await getNotificationPreferences(c.var.scope), 200))
  .openapi(writePreferences, async (c) =>
    c.json(await setNotificationPreferences(c.var.scope, c.req.valid('json')), 200),
  )
  .openapi(readConsents, async (c) => c.json(await getConsents(c.var.scope), 200))
  .openapi(writeConsents, async (c) =>
    c.json(await setConsents(c.var.scope, c.req.valid('json').sms_opt_in), 200),
  )
  .openapi(download, async (c) => {
    const { id } = c.req.valid('param')
    c.header('content-disposition', `attachment; filename="liftwell-data-${id}.json"`)
    return c.json(await exportPerson(c.var.scope, id), 200)
  })
  .openapi(optOut, async (c) => {
    await recordOptOut(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
  .openapi(erase, async (c) => {
    await erasePerson(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
