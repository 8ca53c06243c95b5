/** The switch with which a company stops all of its messages. */
export const isSendingStopped = (settings: unknown): boolean =>
  (settings as { sending_stopped?: unknown } | null)?.sending_stopped === true
