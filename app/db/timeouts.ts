/** PostgreSQL time limits in milliseconds: connections set them, and the roles have them for other clients. */

/** Statements that a person waits for, and those of the worker. */
export const WEB_STATEMENT_MS = 10_000
export const WORKER_STATEMENT_MS = 60_000

export const WAITING = { lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 }
