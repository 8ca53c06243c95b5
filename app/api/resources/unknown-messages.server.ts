import * as calls from '#app/api/contract/unknown-messages.ts'
import { serve } from '#app/api/serve.server.ts'
import { decide } from '#app/domain/unknown-messages/deciding.server.ts'
import { foreseeResend } from '#app/domain/unknown-messages/prospect.server.ts'
import { listUnknownMessages } from '#app/domain/unknown-messages/unknown-messages.server.ts'

export const unknownMessages = serve(calls, {
  listUnknownMessages: ({ scope, query }) => listUnknownMessages(scope, query),
  foreseeResend: ({ scope, query }) => foreseeResend(scope, query),
  decideUnknownMessages: ({ scope, body }) => decide(scope, body),
})
