/** A call of the API as one value, safe for the browser: everything that is known about the call is declared here. */
import { z } from 'zod'
import type { Rate } from './limits.ts'
import type { May } from './may.ts'

/** Whether a person may make the call before a required step; `user_id` is theirs. */
type Early = true | ((ids: Readonly<Record<string, unknown>>, user_id: number) => boolean)

/** An answer that is not JSON by a schema of ours: bytes, a table, text. The call returns a Response. */
type FileAnswer = {
  readonly files: Readonly<
    Record<number, { description: string; content?: Record<string, { schema: z.ZodType }> }>
  >
}

type Facts = {
  readonly does: string
  readonly remark?: string
  /** Checked before the body is read. */
  readonly may: May
  /** The parameters of the path. */
  readonly ids?: z.ZodObject
  readonly query?: z.ZodObject
  /** JSON; fields that the schema does not name are refused. */
  readonly body?: z.ZodObject
  readonly form?: z.ZodObject
  readonly answers: z.ZodType | FileAnswer
  readonly status?: 201 | 202
  readonly described?: string
  /**
   * Allowed before the terms are accepted and a second factor is set up (`terms`), or before a sub-tenant is chosen.
   */
  readonly early?: { readonly terms?: Early; readonly subTenant?: Early }
  /** Whether API keys may make the call, where this differs from `isOpenToKeys` of its `may`. */
  readonly keys?: boolean
  readonly perPerson?: Rate
  /** Expensive for the database, always or for certain queries: the call waits in the queue of its tenant. */
  readonly dear?: true | ((query: Readonly<Record<string, unknown>>) => boolean)
  /**
   * A large read that a replica may answer: up to half a minute behind (`recent`), or once it has caught up with the
   * moment of the call.
   */
  readonly replica?: 'recent' | 'caught up'
  readonly perAddress?: Rate
  readonly bytes?: number
}

type WriteFacts = Facts & { readonly audited: boolean }

/**
 * `once`: a form submitted twice is carried out once. `each time`: its answer is not stored. Otherwise the caller's
 * Idempotency-Key decides.
 */
type PostFacts = WriteFacts & {
  readonly repeats?: 'once' | 'each time'
  /** A question that is too long for an address. */
  readonly isRead?: true
}

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

export const isRead = (call: Call): boolean => call.method === 'GET' || call.isRead === true

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
