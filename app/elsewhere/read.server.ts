/** Tolerant readers of what another server sends: anything may be missing, and there may be more. */
import { type Id, idIn } from './ids.server.ts'

export type Thing = Readonly<Record<string, unknown>>

export const thing = (sent: unknown): Thing =>
  typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Thing) : {}

export const list = (sent: unknown): readonly unknown[] => (Array.isArray(sent) ? sent : [])

export const first = (sent: Thing, ...names: string[]): unknown =>
  names.map((name) => sent[name]).find((value) => value !== undefined && value !== null)

export const text = (sent: unknown): string | null =>
  typeof sent === 'string' && sent.trim() !== '' ? sent : null

export const yes = (sent: unknown): boolean => sent === true

/** An id fit for URLs and headers. */
export const isId = (sent: unknown): sent is Id =>
  (typeof sent === 'string' && sent !== '' && !/\p{Cc}/u.test(sent)) ||
  typeof sent === 'bigint' ||
  (typeof sent === 'number' && Number.isFinite(sent))

export const id = (sent: unknown): string | null => (isId(sent) ? idIn(sent) : null)

export const oneOf = <const Name extends string>(names: readonly Name[], sent: unknown): Name | null =>
  names.find((name) => name === String(sent ?? '').toLowerCase()) ?? null

export const whole = (sent: unknown): number | null => {
  const number = typeof sent === 'string' && sent.trim() !== '' ? Number(sent) : sent
  return typeof number === 'number' && Number.isInteger(number) ? number : null
}

/** Zones are often written without minutes: `+00`. */
const MOMENT = /^(\d{4}-\d\d-\d\d)[t ](\d\d:\d\d[\d:.]*) ?(?:z|utc|([+-]\d\d)(?::?(\d\d))?)?$/i

/** A moment in time; without a zone it is UTC. Null for anything else. */
export function moment(sent: unknown): string | null {
  if (typeof sent === 'number') return iso(new Date(sent < 1e11 ? sent * 1000 : sent))
  if (typeof sent !== 'string') return null
  const [, day, time, hours, minutes = '00'] = MOMENT.exec(sent.trim()) ?? []
  if (!day || !time) return iso(new Date(sent.trim()))
  return iso(new Date(`${day}T${time}${hours ? `${hours}:${minutes}` : 'Z'}`))
}

const iso = (date: Date): string | null => (Number.isNaN(date.getTime()) ? null : date.toISOString())

/** The rows of a list, paged or bare, without duplicate ids. */
export function rowsOf(sent: unknown): readonly Thing[] {
  const rows = (Array.isArray(sent) ? sent : list(thing(sent).data)).map(thing)
  const firsts = new Map(rows.toReversed().map((row) => [id(row.id), row]))
  return rows.filter((row) => !isId(row.id) || firsts.get(id(row.id)) === row)
}

/** The page number and count; a bare list is the only page. */
export function pageOf(sent: unknown, count: number) {
  const said = thing(thing(sent).pagination)
  const current_page = Math.max(1, whole(said.current_page) ?? 1)
  const total_pages = Math.max(1, whole(said.total_pages) ?? 1)
  const per_page = Math.max(1, whole(said.per_page) ?? count)
  if (total_pages === 1) return { current_page, total_pages, per_page, total: count }
  const total = whole(first(said, 'total', 'total_count', 'count'))
  if (total !== null && total >= count && whole(said.per_page) !== null)
    return { current_page, total_pages, per_page, total }
  return { current_page, total_pages, per_page, total: total_pages * per_page, is_uncounted: true }
}
