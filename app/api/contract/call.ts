/** A call of the API as one value, safe for the browser: all that is true of it stands here and nowhere else. */
import { z } from 'zod'
import type { Rate } from './limits.ts'
import type { May } from './may.ts'

/** Whether a person may make the call before they did something else; `user_id` is theirs. */
type Early = true | ((ids: Readonly<Record<string, unknown>>, user_id: number) => boolean)

/** An answer that is no JSON of ours: bytes, a table, a text. The call answers it as a Response. */
type FileAnswer = {
  readonly files: Readonly<
    Record<number, { description: string; content?: Record<string, { schema: z.ZodType }> }>
  >
}

type Facts = {
  readonly does: string
  readonly remark?: string
  /** Asked before the body is read. */
  readonly may: May
  /** What stands in the holes of the path. */
  readonly ids?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON, of which a field that the schema does not name is refused. */
  readonly body?: z.ZodObject
  readonly form?: z.ZodObject
  readonly answers: z.ZodType | FileAnswer
  readonly status?: 201 | 202
  readonly described?: string
  /** Before the terms are accepted and a second factor is set up; before a sub-tenant is chosen. */
  readonly early?: { readonly terms?: Early; readonly subTenant?: Early }
  /** Whether API keys may make it, where that is not what `isOpenToKeys` says of its `may`. */
  readonly keys?: boolean
  readonly perPerson?: Rate
  /** Costs the database much, always or with such a query as was sent: it waits for a turn of its tenant. */
  readonly dear?: true | ((query: Readonly<Record<string, unknown>>) => boolean)
  /** Only reads, and much: a replica may answer, half a minute behind at most, or once it has what was there when asked. */
  readonly replica?: 'recent' | 'caught up'
  readonly perAddress?: Rate
  readonly bytes?: number
}

type WriteFacts = Facts & { readonly audited: boolean }

/** `once`: a form sent twice makes one thing. `each time`: nothing of it is kept. Otherwise by Idempotency-Key. */
type PostFacts = WriteFacts & { readonly repeats?: 'once' | 'each time' }

type Route = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly tag: string
}
export type Call = PostFacts & Route

export const callsAbout = (tag: string) => ({
  get: <F extends Facts>(path: string, facts: F): F & Route & { audited: false } =>
    strict({ ...facts, audited: false as const, method: 'GET', path, tag }),
  post: <F extends PostFacts>(path: string, facts: F): F & Route =>
    strict({ ...facts, method: 'POST', path, tag }),
  put: <F extends WriteFacts>(path: string, facts: F): F & Route =>
    strict({ ...facts, method: 'PUT', path, tag }),
  patch: <F extends WriteFacts>(path: string, facts: F): F & Route =>
    strict({ ...facts, method: 'PATCH', path, tag }),
  remove: <F extends WriteFacts>(path: string, facts: F): F & Route =>
    strict({ ...facts, method: 'DELETE', path, tag }),
})

const strict = <C extends Facts>(call: C): C => (call.body ? { ...call, body: call.body.strict() } : call)

export const fieldsOf = (schema?: z.ZodObject): string[] => Object.keys(schema?.shape ?? {})

export const fileOf = (type: string, description: string, schema: z.ZodType = z.string()): FileAnswer => ({
  files: { 200: { description, content: { [type]: { schema } } } },
})

type Parsed<C, Part extends string, Otherwise> = C extends { readonly [P in Part]: infer S extends z.ZodType }
  ? z.output<S>
  : Otherwise
export type IdsOf<C> = Parsed<C, 'ids', Record<never, never>>
export type QueryOf<C> = Parsed<C, 'query', Record<never, never>>
export type BodyOf<C> = Parsed<C, 'body', Parsed<C, 'form', undefined>>
export type AnswerOf<C> = Parsed<C, 'answers', Response>
