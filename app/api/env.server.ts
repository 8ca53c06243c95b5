/** What every resource of the API is made of. */
import { OpenAPIHono, type z } from '@hono/zod-openapi'
import type { Principal } from '#app/auth/principal.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { notFound, Refusal } from '#app/domain/errors.ts'
import { inOurWords } from '#app/domain/plain-words.ts'
import type { Database, Scope } from '#app/domain/scope.server.ts'

/** `has_second_factor`: that they have one, or need none, has just been found out too. */
export type Caller = { token: string; principal: Principal; has_second_factor?: boolean }

export type ApiEnv = {
  Bindings: {
    /** Whose token this is, when the screens call in process and have just found out. */
    caller?: Caller
    ip?: string
    request_id?: string
    /** What the request has found out; `who` goes into its log line. */
    found?: Map<string, unknown>
  }
  Variables: { actor: Actor; principal: Principal; scope: Scope; database: Database; is_secret?: boolean }
}

/** What was sent cannot be read as what the call takes. */
export class Unreadable extends Refusal {}

/** A router that refuses bad input in the API's own shape: a path that cannot exist is a 404, the rest a 422. */
export const createRouter = () =>
  new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (result.success) return
      if (result.target === 'param') throw notFound()
      throw new Unreadable(422, fieldMessages(inOurWords(result.error.issues, sentIn(result))))
    },
  })

const sentIn = (result: object): unknown => ('data' in result ? result.data : undefined)

function fieldMessages(issues: readonly z.core.$ZodIssue[]): Record<string, string[]> {
  // Without a prototype: a field may be called `__proto__`.
  const fields: Record<string, string[]> = Object.create(null)
  const say = (name: string, message: string) => {
    fields[name] = [...(fields[name] ?? []), message]
  }
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') for (const key of issue.keys) say(key, 'This field is not known.')
    else say(issue.path.join('.') || 'body', issue.message)
  }
  return fields
}
