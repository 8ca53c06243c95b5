/** The ways an operation can be refused. The API turns each into its status and error shape. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 404 | 409 | 413 | 415 | 416 | 422 | 429 | 503
  readonly detail: string | Record<string, string[]>
  readonly current: unknown
  readonly sent: unknown
  /** Seconds. */
  readonly retryAfter: number | undefined

  constructor(
    status: Refusal['status'],
    detail: Refusal['detail'],
    more: { current?: unknown; sent?: unknown; retryAfter?: number } = {},
  ) {
    super(typeof detail === 'string' ? detail : JSON.stringify(detail))
    this.name = 'Refusal'
    this.status = status
    this.detail = detail
    this.current = more.current
    this.sent = more.sent
    this.retryAfter = more.retryAfter
  }
}

/** The same bytes whether the thing does not exist or belongs to somebody else. */
export const notFound = () => new Refusal(404, 'Not Found')
export const forbidden = (why = 'You do not have permission to do this.') => new Refusal(403, why)
export const invalid = (fields: Record<string, string[]>) => new Refusal(422, fields)
export const conflict = (field: string, why: string) => new Refusal(409, { [field]: [why] })
/** Somebody else saved first: `current` is what they saved; `sent` what was sent, if it differs from the body of the call. */
export const stale = (current: unknown, sent?: unknown) =>
  new Refusal(409, 'Someone else saved this while you were editing it.', { current, sent })
