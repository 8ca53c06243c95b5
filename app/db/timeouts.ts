/** For how long PostgreSQL works and waits, in milliseconds: what connections ask for, and roles have for whoever else uses them. */

/** One statement, where somebody waits for the answer, and where nobody does. */
export const WEB_STATEMENT_MS = 10_000
export const WORKER_STATEMENT_MS = 60_000

export const WAITING = { lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 }
