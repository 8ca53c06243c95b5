/**
 * Generated people with several roles, a sub-tenant that they are in, and a tie to a journey. The expected answers
 * follow from decision 43 alone: people who take part in a journey do not manage it.
 */
import type { Case } from './matrix-cases.ts'
import { refusedToKey } from './matrix-keys.ts'
import { POLICY, type Row } from './matrix-policy.ts'

/** A and B are sub-tenants of the company; `whole` means no sub-tenant. */
const SPOTS = ['whole', 'A', 'B'] as const
type Place = (typeof SPOTS)[number]
/** A journey of another company, or one that does not exist. */
export type Spot = 'foreign' | 'missing'

const ROLES = ['admin whole', 'admin A', 'author whole', 'author A', 'author B', 'user whole'] as const
type Held = (typeof ROLES)[number]
const TIES = ['learner', 'sponsor', 'facilitator', 'author', 'author and learner'] as const
export type Tie = (typeof TIES)[number]
/** A journey: one without a tie to these people, or the one to which a person is tied. */
export type Thing = { place: Place; tie: Tie | null }
export const isThing = (of: Thing | Spot): of is Thing => typeof of !== 'string'

/** `asKey`: they call with a key that they created, with the role and place named. */
export type Holder = {
  roles: readonly Held[]
  selected: 'A' | 'B' | null
  tied: Thing | null
  asKey?: true
}

const placeOf = (held: Held) => held.split(' ')[1] as Place
const isWide = (roles: readonly Held[]) => roles.some((held) => placeOf(held) === 'whole')
const partsOf = (roles: readonly Held[]) => [...new Set(roles.map(placeOf))].filter((one) => one !== 'whole')

export const THINGS: readonly Thing[] = SPOTS.flatMap((place) =>
  [null, ...TIES].map((tie): Thing => ({ place, tie })),
)
const ROLE_SETS: readonly (readonly Held[])[] = ROLES.flatMap((one, index) => [
  [one],
  ...ROLES.slice(index + 1).map((other): Held[] => [one, other]),
])
/** The sub-tenants that people with these roles can enter. */
const placesOf = (roles: readonly Held[]): Holder['selected'][] =>
  isWide(roles) ? [null, 'A', 'B'] : [null, ...partsOf(roles)]

const TIED = THINGS.filter(({ tie }) => tie !== null)
export const HOLDERS: readonly Holder[] = ROLE_SETS.flatMap((roles) =>
  placesOf(roles).flatMap((selected) => [null, ...TIED].map((tied): Holder => ({ roles, selected, tied }))),
)
const KEY_ROLES = ['admin whole', 'admin A', 'author whole', 'author B'] as const satisfies readonly Held[]
const KEY_TIES: readonly (Tie | null)[] = ['learner', 'sponsor', 'author']
/** A key has the rights of its maker's roles and as the author of journeys, but not as a participant. */
export const KEY_HOLDERS: readonly Holder[] = KEY_ROLES.flatMap((held) =>
  TIED.filter(({ tie }) => KEY_TIES.includes(tie)).map(
    (tied): Holder => ({ roles: [held], selected: null, tied, asKey: true }),
  ),
)
const EVERYBODY = [...HOLDERS, ...KEY_HOLDERS]

export const nameOf = ({ roles, selected, tied, asKey }: Holder): string =>
  `${asKey ? 'key as ' : ''}${roles.join(' and ')}${selected ? ` in ${selected}` : ''}${tied ? `, ${tied.tie} of ${tied.place}` : ''}`

/** People of several sub-tenants choose one; those of one are always inside it. */
const standingOf = ({ roles, selected }: Holder): Place | 'nowhere' => {
  if (selected) return selected
  if (isWide(roles)) return 'whole'
  const [only, ...more] = partsOf(roles)
  return only && more.length === 0 ? only : 'nowhere'
}

type Level = 'admin' | 'author' | 'user'
/** Their level in the place where they are: from the roles for the whole company and for that sub-tenant. */
export function levelOf(holder: Holder): Level {
  const here = standingOf(holder)
  const held = holder.roles.filter((one) => [here, 'whole'].includes(placeOf(one)))
  return held.some((one) => one.startsWith('admin'))
    ? 'admin'
    : held.some((one) => one.startsWith('author'))
      ? 'author'
      : 'user'
}

const isSame = (one: Thing | null, other: Thing) => one?.place === other.place && one.tie === other.tie
/** The journeys of the sub-tenant where they are; outside sub-tenants, all journeys of the company. */
const isInReach = (holder: Holder, { place }: Thing) => [place, 'whole'].includes(standingOf(holder))
const isAuthor = ({ tied }: Holder, thing: Thing) =>
  isSame(tied, thing) && (tied?.tie?.startsWith('author') ?? false)
const learns = ({ tied }: Holder, thing: Thing) =>
  isSame(tied, thing) && (tied?.tie?.endsWith('learner') ?? false)
const sponsors = ({ tied }: Holder, thing: Thing) => isSame(tied, thing) && tied?.tie === 'sponsor'

export function manages(holder: Holder, thing: Thing): boolean {
  const level = levelOf(holder)
  return isInReach(holder, thing) && (level === 'admin' || (level === 'author' && isAuthor(holder, thing)))
}
export const mustChoose = (holder: Holder): boolean => standingOf(holder) === 'nowhere'

/** The rights of a participant, whatever their other roles. */
function asParticipant(call: string, holder: Holder, thing: Thing): boolean {
  if (holder.asKey) return false
  switch (call) {
    case 'GET /learner/lljs/{id}':
    case 'GET /lifts/{id}/page':
    case 'POST /lifts/{id}/responses':
      return learns(holder, thing)
    case 'GET /lljs/{id}/assessments/{userId}':
    case 'GET /sponsors_journeys/{id}':
    case 'GET /sponsors_journeys/{id}/learners/{userId}':
    case 'POST /lljs/{id}/encouragements':
      return sponsors(holder, thing)
    default:
      return false
  }
}

const isAdminsOnly = (row: Row) => !row.may.includes('author') && row.may.includes('admin')

const isRefusedBefore = (call: string, row: Row, holder: Holder) =>
  mustChoose(holder) || (holder.asKey && refusedToKey(call, row, 'key_admin') !== null)

export function expectedOf(call: string, row: Row, holder: Holder, of: Thing | Spot): number {
  const level = levelOf(holder)
  if (isRefusedBefore(call, row, holder)) return 403
  if (isThing(of) && asParticipant(call, holder, of)) return call.endsWith('/encouragements') ? row.ok : 200
  // The role is checked before the object, for the area of journeys and for administrators' calls.
  if (row.asksRoleFirst && level === 'user') return 403
  if (row.asksRoleFirst && isAdminsOnly(row) && level === 'author' && !call.endsWith('/duplicate')) return 403
  if (!isThing(of) || !isInReach(holder, of)) return 404
  const isAllowed = row.may.length > 0 && manages(holder, of) && !(isAdminsOnly(row) && level === 'author')
  return isAllowed ? okOf(row, of) : (row.denied ?? 403)
}

const okOf = (row: Row, of: Thing) => (runs(of) ? (row.running ?? row.ok) : row.ok)

const runs = ({ tie }: Thing) => tie !== null && tie !== 'author'

/** The kinds of calls that name a journey, or something in one. */
const KINDS = ['journey', 'lift', 'prompt', 'objective', 'assessment', 'member']
const CALLS = Object.entries(POLICY).filter(([, { kind }]) => KINDS.includes(kind))
const isRead = (call: string) => call.startsWith('GET')
/** A running journey cannot be changed like a draft, so allowed changes of one are not called; reads are. */
const isAskedOf = (call: string, wanted: number, thing: Thing) =>
  isRead(call) ||
  !runs(thing) ||
  [403, 404].includes(wanted) ||
  call.endsWith('/responses') ||
  call.endsWith('/encouragements')

/** Every third case of people with one role and a tie is taken, and every eleventh of people with two roles. */
const EVERY = { tied: 3, paired: 11 } as const
const isTurn = (holder: Holder, nth: number): boolean =>
  aloneAlways(holder, nth) &&
  (holder.roles.length > 1 || !holder.tied || holder.asKey === true || nth % EVERY.tied === 0)

export function* holderCases(isTaken = isTurn): Generator<Case> {
  let nth = 0
  for (const holder of EVERYBODY)
    for (const { call, of } of asked(holder)) {
      if (!isTaken(holder, nth++)) continue
      const wanted = expectedOf(call, POLICY[call] as Row, holder, of)
      yield { call, who: 'user', where: 'own', holder, of, wanted }
    }
}

const UNTIED: readonly (Thing | Spot)[] = [...THINGS.filter(({ tie }) => tie === null), 'foreign', 'missing']

function asked(holder: Holder): { call: string; of: Thing | Spot }[] {
  return (holder.tied ? [holder.tied] : UNTIED).flatMap((of) =>
    CALLS.filter(([call, row]) => !isThing(of) || isAskedOf(call, expectedOf(call, row, holder, of), of)).map(
      ([call]) => ({ call, of }),
    ),
  )
}

/** Lists, choices and figures, whose journeys are compared. */
const LISTS = ['GET /lljs', 'GET /lljs/data', 'GET /analytics/by_lift', 'GET /analytics/by_user']
/** Calls that name every journey; figures contain only those that have started. */
export const namesAll = (call: string): boolean => call === 'GET /lljs' || call === 'GET /lljs/data'

/** Cases of people with one role are always taken. */
export const aloneAlways = ({ roles }: Holder, nth: number) => roles.length === 1 || nth % EVERY.paired === 0

export function* listCases(): Generator<Case> {
  let nth = 0
  for (const holder of EVERYBODY)
    for (const call of LISTS) {
      if (!aloneAlways(holder, nth++)) continue
      const wanted = mustChoose(holder) || levelOf(holder) === 'user' ? 403 : 200
      yield { call, who: 'user', where: 'own', holder, of: 'missing', wanted }
    }
}
