/** Where it is early afternoon now: a test of what waits at night runs at any hour. */
const hourIn = (timeZone: string) =>
  Number(new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' }).format())

const zoneAt = (hour: number): string => {
  const zone = Intl.supportedValuesOf('timeZone').find((one) => hourIn(one) === hour)
  if (!zone) throw new Error(`It is ${hour} o’clock nowhere`)
  return zone
}

export const BY_DAY = zoneAt(13)
export const AT_NIGHT = zoneAt(22)
