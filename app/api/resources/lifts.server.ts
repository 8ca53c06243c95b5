import * as calls from '#app/api/contract/lifts.ts'
import { serve } from '#app/api/serve.server.ts'
import { listLiftNames } from '#app/domain/lifts/lifts.server.ts'
import { getTestPage, openLiftPage } from '#app/domain/lifts/pages.server.ts'
import { createLift, deleteLift, updateLift } from '#app/domain/running/edit-lifts.server.ts'
import { orderLifts } from '#app/domain/running/reorder-lifts.server.ts'
import { respond } from '#app/domain/running/respond.server.ts'
import { foreseeReminders, remindUnanswered } from '#app/domain/sending/reminding.server.ts'
import { sendNow } from '#app/domain/sending/send-now.server.ts'
import { listStillToSend } from '#app/domain/sending/send-now-recipients.server.ts'
import { sendTestMessages } from '#app/domain/sending/test-messages.server.ts'
import { listUnanswered } from '#app/domain/sending/unanswered.server.ts'

export const lifts = serve(calls, {
  listLiftNames: async ({ scope, ids }) => ({ data: await listLiftNames(scope, ids.id) }),
  createLift: ({ scope, ids, body }) => createLift(scope, ids.id, body),
  orderLifts: async ({ scope, ids, body }) => ({ data: await orderLifts(scope, ids.id, body) }),
  getLift: async ({ found }) => found,
  updateLift: ({ scope, ids, body }) => updateLift(scope, ids.id, body),
  deleteLift: async ({ scope, ids, query }) => {
    await deleteLift(scope, ids.id, query)
    return {}
  },
  getLiftPage: ({ scope, ids }) => openLiftPage(scope, ids.id),
  getTestPage: ({ scope, ids }) => getTestPage(scope, ids.id),
  answerLift: ({ scope, ids, body }) => respond(scope, ids.id, body),
  sendTest: ({ scope, ids, body }) => sendTestMessages(scope, ids.id, body.phones),
  listUnanswered: ({ scope }) => listUnanswered(scope),
  foreseeReminders: ({ scope, ids }) => foreseeReminders(scope, ids.id),
  remindUnanswered: ({ scope, ids }) => remindUnanswered(scope, ids.id),
  sendLiftNow: ({ scope, ids, body }) => sendNow(scope, ids.id, body),
  listStillToSend: ({ scope, ids, query }) => listStillToSend(scope, ids.id, query),
})
