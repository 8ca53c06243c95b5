import * as calls from '#app/api/contract/people/privacy.ts'
import { serve } from '#app/api/serve.server.ts'
import { exportPerson } from '#app/domain/privacy/data-export.server.ts'
import { erasePerson } from '#app/domain/privacy/erasure.server.ts'
import {
  getConsents,
  getNotificationPreferences,
  recordOptOut,
  setConsents,
  setNotificationPreferences,
} from '#app/domain/privacy/preferences.server.ts'

export const privacy = serve(calls, {
  getNotificationPreferences: ({ scope }) => getNotificationPreferences(scope),
  setNotificationPreferences: ({ scope, body }) => setNotificationPreferences(scope, body),
  getConsents: ({ scope }) => getConsents(scope),
  setConsents: ({ scope, body }) => setConsents(scope, body.sms_opt_in),
  exportPersonalData: async ({ scope, ids }) => {
    const headers = { 'content-disposition': `attachment; filename="liftwell-data-${ids.id}.json"` }
    return Response.json(await exportPerson(scope, ids.id), { headers })
  },
  recordOptOut: async ({ scope, ids }) => {
    await recordOptOut(scope, ids.id)
    return {}
  },
  erasePerson: async ({ scope, ids }) => {
    await erasePerson(scope, ids.id)
    return {}
  },
})
