/** Visits all pages of the site that link to each other, as one visitor. */
import type { Visitor } from '#tests/support/visitor.ts'
import { type Offer, offersOf } from './page-controls.ts'

export const REFUSAL =
  /no permission|not have permission|is for administrators|not allowed|form has no field/i
/** Another row or filter is not another kind of address; some addresses of each kind are visited. */
const LISTS = /^(order|page|q|name|role|category|author|status|user_ids|actor|action|subject|from|to)$/
/** New questions of all kinds count as one kind of address, and so do new parts of a lift. */
const NEW_PARTS = /^(prompt|block)$/
function kindsOf(address: string): string[] {
  const url = new URL(address, 'http://site.test')
  const path = url.pathname.replace(/[0-9a-f-]{36}|\d+/g, '*')
  const kinds = [...url.searchParams].map(([name, value]) => {
    if (LISTS.test(name) || /^\d|^$|-/.test(value)) return `${path}?${name}`
    return `${path}?${name}=${NEW_PARTS.test(name) ? 'new' : value}`
  })
  return kinds.length > 0 ? kinds : [path]
}
const ofKind = (kind: string) => (kind.includes('?') ? 1 : 2)

export type Form = Extract<Offer, { kind: 'form' }> & { on: string }
export const isOutside = (path: string) => /^\/(login|error|auth\/start)/.test(path)
export const intentOf = ({ fields }: Pick<Form, 'fields'>) =>
  fields.filter(([name]) => name === 'intent' || name === 'way').join()

/** Visits every page that pages link to; returns what was refused, and all forms. */
export async function walk(
  visitor: Visitor,
  start: string | readonly string[],
  look: (page: Seen) => void = () => {},
) {
  const refused: string[] = []
  const forms = new Map<string, Form>()
  const isNew = newAddresses()
  const queue: Step[] = [start].flat().map((to) => ({ to, on: 'the address bar', words: '' }))
  for (let next = queue.shift(); next; next = queue.shift()) {
    if (!isNew.ask(next.to)) continue
    const { refusal, offers, page } = await take(visitor, next)
    look(page)
    if (refusal) refused.push(refusal)
    for (const offer of offers)
      if (offer.kind === 'link') queue.push({ ...offer, on: next.to })
      else forms.set(`${kindsOf(offer.to)} ${intentOf(offer)}`, { ...offer, on: next.to })
  }
  return { refused, forms: [...forms.values()], pages: isNew.kinds(), hasSeen: isNew.hasSeen }
}

/** The final answer of one address. */
export type Seen = { to: string; path: string; html: string; status: number; type: string }

type Step = { to: string; on: string; words: string }

async function take(visitor: Visitor, { to, on, words }: Step) {
  const { response, path, html } = await visitor.follow(await visitor.visit(to))
  // A visitor this fast reaches the limit of exports, which is no refusal.
  const isLimited = response.status === 429
  const isPage = response.headers.get('content-type')?.includes('html')
  const isRefused =
    (response.status >= 400 && !isLimited) ||
    (!isLimited && isPage && REFUSAL.test(html)) ||
    (isOutside(path) && !isOutside(to))
  return {
    refusal: isRefused
      ? `${on}: “${words}” leads to ${to}, which ends at ${path} with ${response.status}`
      : null,
    offers: isPage ? offersOf(html, path === '/' ? to : path) : [],
    page: { to, path, html, status: response.status, type: response.headers.get('content-type') ?? '' },
  }
}

/** Selects addresses to visit: on this site, and only some of each kind. */
function newAddresses() {
  const seen = new Set<string>()
  const counts = new Map<string, number>()
  const ask = (to: string): boolean => {
    if (!to.startsWith('/') || seen.has(to)) return false
    const kinds = kindsOf(to)
    if (kinds.every((kind) => (counts.get(kind) ?? 0) >= ofKind(kind))) return false
    seen.add(to)
    for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return true
  }
  return { ask, kinds: () => [...counts.keys()], hasSeen: (to: string) => seen.has(to) }
}
