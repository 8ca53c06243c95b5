import * as calls from '#app/api/contract/testing.ts'
import { serve } from '#app/api/serve.server.ts'
import { listOutbox } from '#app/domain/outbox/outbox.server.ts'
import { getClock, moveClock } from '#app/domain/testing/clock.server.ts'
import { listHandsets } from '#app/domain/testing/handsets.server.ts'
import { startAgain } from '#app/domain/testing/start-again.server.ts'
import { answerAsPhone } from '#app/domain/text-answers/receive-text.server.ts'

export const testing = serve(calls, {
  listOutbox: ({ scope, query }) => listOutbox(scope, query),
  listHandsets: ({ scope, query }) => listHandsets(scope, query),
  answerAsPhone: ({ scope, body }) => answerAsPhone(scope, body),
  getClock: ({ scope }) => getClock(scope),
  moveClock: ({ scope, body }) => moveClock(scope, body),
  startAgain: ({ scope, body }) => startAgain(scope, body),
})
