/** Whether what somebody sends for an older version is what is stored now: the same form sent twice is no conflict. */

const OF_SENDING = new Set(['lock_version', 'version', 'password'])
/** What is only ever added to, each known by its address. */
const ADDED = new Set(['admins'])

export function isAsStored(sent: unknown, stored: unknown): boolean {
  if (!isThing(sent) || !isThing(stored)) return false
  const [asked, kept] = [plain(sent), plain(stored)]
  return Object.entries(asked).every(
    ([name, value]) =>
      OF_SENDING.has(name) || (ADDED.has(name) ? areAmong(value, kept[name]) : holds(kept[name], value)),
  )
}

/** What was sent is all there; the thing itself may know more. */
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
