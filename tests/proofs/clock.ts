/** The wall clock in a zone, computed in another way than by the planner. */
const clocks = new Map<string, Intl.DateTimeFormat>()

export function clockOf(zone: string, date: Date) {
  const made =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      ...{
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        weekday: 'short',
      },
      hourCycle: 'h23',
    })
  clocks.set(zone, made)
  const parts = new Map(made.formatToParts(date).map((part) => [part.type, part.value]))
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? ''
  return {
    day: `${get('year')}-${get('month')}-${get('day')}`,
    time: `${get('hour')}:${get('minute')}`,
    weekday: get('weekday').slice(0, 3),
  }
}
