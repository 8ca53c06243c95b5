/** An old or new value of a log line in words. */
import { nameInWords } from '#app/domain/audit/audit-event.ts'
import { dayInWords, formatDate, timeOfDay } from '#app/domain/text/date-format.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { inWords } from '../users/in-words.ts'

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/
const TIME = /^\d{2}:\d{2}$/
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Times are shown in `zone`. */
export function valueInWords(value: unknown, zone: string): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return textInWords(value, zone)
  if (Array.isArray(value)) return value.map((one) => valueInWords(one, zone)).join(', ')
  return typeof value === 'object' ? thingInWords({ ...value }, zone) : String(value)
}

function textInWords(text: string, timeZone: string): string {
  if (DAY.test(text)) return dayInWords(text)
  if (!INSTANT.test(text)) return text
  return formatDate(new Date(text), { dateStyle: 'medium', timeStyle: 'medium', timeZone })
}

const isTime = (value: unknown): value is string => typeof value === 'string' && TIME.test(value)

function thingInWords(thing: Record<string, unknown>, zone: string): string {
  const { role, sub_tenant_id, sub_tenant, from, to } = thing
  // Quiet hours, whose parts the database keeps in its own order.
  if (isTime(from) && isTime(to)) return `${timeOfDay(from)} to ${timeOfDay(to)}`
  const place = typeof sub_tenant === 'string' ? isolated(sub_tenant) : 'a sub-tenant'
  if (typeof role === 'string') return `${inWords(role)}${sub_tenant_id ? ` in ${place}` : ''}`
  return Object.entries(thing)
    .map(([name, value]) => `${nameInWords(name)}: ${valueInWords(value, zone)}`)
    .join('; ')
}
