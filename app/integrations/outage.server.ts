/**
 * SQLSTATEs and system codes of a database that is away, overloaded, full or too slow, not of our own mistakes:
 * 08 connection, 25006 read-only after a failover, 25P03/4 idle or too long in a transaction, 40 deadlock,
 * 53 resources, 55P03 lock timeout, 57014 statement timeout, 57P shutdown, 58 input and output.
 */
const AWAY =
  /^(08|25006|25P0[34]|40(001|P01)|53|55P03|57014|57P|58|ECONN|EPIPE|ENOENT|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EAI_AGAIN|ENOTFOUND)/
const LOST =
  /^Network Error: |timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|connection error and is not queryable|Client was closed and is not queryable|connection has been discarded|driver has already been destroyed|pool after calling end|API Error: HTTP 503/

/** Whether an error, or its cause, means that the database or the API behind it is away for the moment. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { code, message, status, cause } = error as Record<'code' | 'message' | 'status' | 'cause', unknown>
  if (typeof code === 'string' && AWAY.test(code)) return true
  if (typeof message === 'string' && LOST.test(message)) return true
  return status === 503 || isOutage(cause, depth + 1)
}

/** Whether PostgreSQL ended a statement after its time. Then the database is there, and somebody asked for too much. */
export function isTooSlow(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false
  return (error as { code?: unknown }).code === '57014'
}
