/** A day as its reader's calendar has it, with the zone on hover. */
const FORMATS = new Map<string, Intl.DateTimeFormat>()

export function Day({ at, zone = 'UTC' }: { at: string; zone?: string }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 16).replace('T', ' ')} UTC`}>
      {formatOf(zone).format(new Date(at))}
    </time>
  )
}

/** Making a format costs a hundred times what using it does. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: zone })
  FORMATS.set(zone, made)
  return made
}
