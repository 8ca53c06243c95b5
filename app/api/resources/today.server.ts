import * as calls from '#app/api/contract/today.ts'
import { serve } from '#app/api/serve.server.ts'
import { getToday } from '#app/domain/today/today.server.ts'

export const today = serve(calls, { getToday: ({ scope }) => getToday(scope) })
