/** All principals of the matrix, the places where they are, and the answer that the policy gives each. */
import { isKey, KEYS, KEYS_THAT_ARE_OVER, refusedToKey } from './matrix-keys.ts'
import type { Kind, Row } from './matrix-policy.ts'

export const PRINCIPALS = [
  'anonymous',
  'disabled',
  'inactive_admin',
  'newcomer',
  'user',
  'learner',
  'sponsor',
  'author',
  'admin',
  'admin_inside',
  'sub_admin',
  'chooser',
  'chooser_inside',
  'foreign_admin',
  'super_home',
  'super_inside',
  'super_part',
  'key_admin',
  'key_reader',
  'key_author',
  'key_inside',
  'key_part',
  'key_foreign',
  ...KEYS_THAT_ARE_OVER,
] as const
export type Who = (typeof PRINCIPALS)[number]

/** Own: in Acme's sub-tenant North, by the author. Sibling: in Acme's sub-tenant South, by the administrator. */
export const PLACES = ['own', 'sibling', 'foreign', 'missing'] as const
export type Where = (typeof PLACES)[number]

/** The principal whose rights each has, for those that the policy does not name. */
const LIKE: Partial<Record<Who, Who>> = {
  newcomer: 'user',
  learner: 'user',
  sponsor: 'user',
  chooser: 'user',
  // Inside a sub-tenant the company's administrator has the rights of the sub-tenant's own.
  admin_inside: 'sub_admin',
  chooser_inside: 'sub_admin',
  super_part: 'sub_admin',
  ...KEYS,
}

/** Accounts, companies and keys that are not in use: treated like a missing token. */
const OUT: readonly Who[] = ['anonymous', 'disabled', 'inactive_admin', ...KEYS_THAT_ARE_OVER]
/** People who have yet to accept the terms, or to choose a sub-tenant. */
const EARLY: readonly Who[] = ['newcomer', 'chooser']
/** People who see North and nothing else of Acme. The chooser can enter North, but not South. */
const IN_NORTH: readonly Who[] = [
  'learner',
  'sub_admin',
  'admin_inside',
  'chooser',
  'chooser_inside',
  'super_part',
  'key_inside',
  'key_part',
]
const IN_GLOBEX: readonly Who[] = ['foreign_admin', 'key_foreign']
/** Super admins from the platform's own company: this company has no user with their id. */
const OUTSIDERS: readonly Who[] = ['super_inside', 'super_part']

export function expected(call: string, row: Row, who: Who, where: Where): number {
  const like = LIKE[who] ?? who
  const { but = {} } = row
  const special = but[`${who} ${where}`] ?? but[who]
  if (special !== undefined) return special
  if (OUT.includes(who)) return 401
  if (isKey(who)) {
    const refused = refusedToKey(call, row, who)
    if (refused) return refused
  }
  if (EARLY.includes(who) && !row.early?.includes(who)) return 403
  if (row.kind === 'self' && OUTSIDERS.includes(who)) return 404
  return but[`${like} ${seenBy(who, where)}`] ?? but[like] ?? answerTo(row, who, where)
}

/** The maker of the author's key is the author of the sibling's journey. */
const seenBy = (who: Who, where: Where): Where =>
  who !== 'key_author' ? where : where === 'own' ? 'sibling' : where === 'sibling' ? 'own' : where

function answerTo(row: Row, who: Who, where: Where): number {
  const isAllowed = row.may.includes(LIKE[who] ?? who)
  const settled = isAllowed ? row.ok : (row.denied ?? 403)
  if (row.kind === 'none') return settled
  if (row.kind === 'self') return settled
  if (!isAllowed && row.asksRoleFirst) return 403
  return isSeen(row.kind, who, where) ? settled : 404
}

function isSeen(kind: Kind, who: Who, where: Where): boolean {
  if (where === 'missing') return false
  if (who === 'super_home') return kind === 'tenant' || kind === 'sub_tenant'
  if (IN_GLOBEX.includes(who)) return where === 'foreign'
  if (where === 'foreign') return false
  return !IN_NORTH.includes(who) || where === 'own' || kind === 'tenant'
}

/** Principals who see only a part of the company. */
const KNOWS_NO_SIBLING: readonly Who[] = ['learner', 'sub_admin', 'chooser', 'chooser_inside', 'key_part']

/** Strings that are only in the texts of one place; principals without access to it must never read them. */
export const CANARIES: Record<'own' | 'sibling' | 'foreign', string> = {
  own: 'canary-north-5e1f',
  sibling: 'canary-south-8a2c',
  foreign: 'canary-globex-c47d',
}

/** The canaries that an answer must not contain. Super admins enter every company, so they read all names. */
export function forbiddenTo(who: Who, call: string, south: string): string[] {
  const { own, sibling, foreign } = CANARIES
  // A person's own data comes from all sub-tenants in which they have worked.
  if (call.endsWith('data_export of oneself') && !IN_GLOBEX.includes(who)) return [foreign]
  if (OUT.includes(who)) return [own, sibling, foreign]
  if (who === 'super_home') return call.includes('/tenants') ? [] : [own, sibling, foreign]
  if (OUTSIDERS.includes(who) && call === 'GET /tenants/data') return []
  if (IN_GLOBEX.includes(who)) return [own, sibling]
  const parts = IN_NORTH.includes(who) ? [sibling, foreign] : [foreign]
  // Not even the id of another sub-tenant.
  return KNOWS_NO_SIBLING.includes(who) ? [...parts, south] : parts
}
