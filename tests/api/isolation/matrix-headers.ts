/** The three tenant headers in every combination that may not be: each is refused by every call, and never ignored. */
import { PRINCIPALS, type Where, type Who } from './matrix-people.ts'

/** Of places: the tenant or sub-tenant there; anything else is sent as it stands. `none` sends no such header. */
export type Named = Partial<Record<'tenant' | 'impersonate' | 'sub', string>>
export type HeaderCase = { who: Who; named: Named }

const NONSENSE = ['me', "' or true --", '00000000-0000-0000-0000-000000000000']
const PEOPLE = [
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
  'key_admin',
  'key_part',
] as const satisfies readonly Who[]

const others = (...places: Where[]) => [...places, ...NONSENSE]
const named = (who: Who, name: keyof Named, values: readonly string[]): HeaderCase[] =>
  values.map((value) => ({ who, named: { [name]: value } }))

/** 403 from every call that asks who one is. */
export const DISAGREEING: readonly HeaderCase[] = [
  ...PEOPLE.flatMap((who) => [
    ...named(who, 'tenant', others('foreign', 'missing')),
    // Nobody but super admins impersonates, their own company included.
    ...named(who, 'impersonate', others('own', 'foreign', 'missing')),
    ...named(who, 'sub', others('foreign', 'missing')),
    { who, named: { tenant: 'foreign', sub: 'foreign' } },
    { who, named: { impersonate: 'foreign', sub: 'foreign' } },
  ]),
  ...(['learner', 'sub_admin', 'chooser', 'chooser_inside', 'key_part'] as const).flatMap((who) =>
    named(who, 'sub', ['sibling']),
  ),
  ...(['foreign_admin', 'key_foreign'] as const).flatMap((who) => [
    ...named(who, 'tenant', others('own', 'missing')),
    ...named(who, 'impersonate', others('own', 'foreign')),
    ...named(who, 'sub', others('own', 'sibling', 'missing')),
  ]),
  ...named('super_home', 'tenant', others('own', 'foreign')),
  ...named('super_home', 'impersonate', ['home', 'missing', 'inactive', ...NONSENSE]),
  ...named('super_home', 'sub', others('own', 'missing')),
  ...named('super_inside', 'tenant', others('own', 'foreign')),
  ...named('super_inside', 'sub', others('foreign', 'missing')),
  // A part of one company inside another.
  { who: 'super_inside', named: { impersonate: 'foreign', sub: 'own' } },
  ...named('super_part', 'sub', others('foreign', 'missing')),
  ...named('super_part', 'impersonate', ['foreign', 'home', 'inactive']),
]

/** 401 from every call that asks who one is: headers make nobody somebody. */
export const OF_NOBODY: readonly HeaderCase[] = (
  ['anonymous', 'disabled', 'inactive_admin', 'key_revoked', 'key_orphaned'] as const
).flatMap((who) => [
  { who, named: {} },
  ...named(who, 'tenant', ['own', 'foreign']),
  ...named(who, 'impersonate', ['own', 'foreign']),
  ...named(who, 'sub', ['own']),
])

/** The token says which company it is of: without the header the answer is the same. */
export const WITHOUT_TENANT: readonly HeaderCase[] = PRINCIPALS.filter((who) => who !== 'anonymous').map(
  (who) => ({ who, named: { tenant: 'none' } }),
)
