/** SQLSTATE classes and system codes of a database that is away or overrun, not of a mistake of ours. */
const AWAY = /^(08|53|57P|ECONN|EPIPE|ENOENT|ETIMEDOUT)/
const LOST = /timeout exceeded when trying to connect|Connection terminated|API Error: HTTP 503/

/** Whether an error, or what caused it, says that the database or the API behind it is away: come back soon. */
export function isOutage(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 4) return false
  const { code, message, status, cause } = error as Record<'code' | 'message' | 'status' | 'cause', unknown>
  if (typeof code === 'string' && AWAY.test(code)) return true
  if (typeof message === 'string' && LOST.test(message)) return true
  return status === 503 || isOutage(cause, depth + 1)
}
