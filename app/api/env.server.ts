/** What every resource of the API is made of. */
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Principal } from '#app/auth/principal.ts'
import { invalid, notFound } from '#app/domain/errors.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import type { Database, Scope } from '#app/domain/scope.server.ts'

export type ApiEnv = {
  Bindings: {
    /** Whose token this is, when the screens call in process and have just found out. */
    caller?: { token: string; principal: Principal }
    ip?: string
    request_id?: string
  }
  Variables: { actor: Actor; principal: Principal; scope: Scope; database: Database }
}

/** A router that refuses bad input in the API's own shape: a path that cannot exist is a 404, the rest a 422. */
export const createRouter = () =>
  new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (result.success) return
      if (result.target === 'param') throw notFound()
      const fields: Record<string, string[]> = {}
      for (const issue of result.error.issues) {
        const names = issue.code === 'unrecognized_keys' ? issue.keys : [issue.path.join('.')]
        for (const name of names) {
          const messages = fields[name] ?? []
          messages.push(issue.code === 'unrecognized_keys' ? 'This field is not known.' : issue.message)
          fields[name] = messages
        }
      }
      throw invalid(fields)
    },
  })
