/** Whether a stale edit equals what is stored already: the same form submitted twice is not a conflict. */

const OF_SENDING = new Set(['lock_version', 'version', 'password'])
/** Lists that an edit only adds to; their entries are compared by e-mail address. */
const ADDED = new Set(['admins'])

export function isAsStored(sent: unknown, stored: unknown): boolean {
  if (!isThing(sent) || !isThing(stored)) return false
  const [asked, kept] = [plain(sent), plain(stored)]
  return Object.entries(asked).every(
    ([name, value]) =>
      OF_SENDING.has(name) || (ADDED.has(name) ? areAmong(value, kept[name]) : holds(kept[name], value)),
  )
}

/** Whether everything that was sent is stored; the stored thing may have more fields. */
function holds(kept: unknown, sent: unknown): boolean {
  if (isNothing(sent)) return isNothing(kept)
  if (Array.isArray(sent))
    return Array.isArray(kept) && kept.length === sent.length && sent.every((one, at) => holds(kept[at], one))
  if (isThing(sent))
    return isThing(kept) && Object.entries(sent).every(([name, value]) => holds(kept[name], value))
  return sent === kept
}

function areAmong(added: unknown, kept: unknown): boolean {
  const known = new Set([kept].flat().map(addressOf))
  return [added].flat().every((one) => known.has(addressOf(one)))
}

const addressOf = (one: unknown): unknown => isThing(one) && String(one.email).toLowerCase()

type Thing = Record<string, unknown>
const isThing = (value: unknown): value is Thing =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''
const plain = (value: Thing): Thing => JSON.parse(JSON.stringify(value))
