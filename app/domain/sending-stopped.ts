/** The switch of a company that keeps every message from leaving. */
export const isSendingStopped = (settings: unknown): boolean =>
  (settings as { sending_stopped?: unknown } | null)?.sending_stopped === true
