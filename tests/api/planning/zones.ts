/** A zone in which it is now this hour. */
export function zoneAt(hour: number): string {
  const ahead = ((hour - new Date().getUTCHours() + 36) % 24) - 12
  // The sign in these names is reversed.
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** A Monday at ten o'clock in that zone. */
export function nextMonday(timeZone: string, weeks = 0): Date {
  const at = new Date(Date.now() + 7 * weeks * 86_400_000)
  const local = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    hour12: false,
  })
  while (!/Mon.*10/.test(local.format(at))) at.setTime(at.getTime() + 3_600_000)
  return at
}
