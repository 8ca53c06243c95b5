/** Every forbidden combination of the three tenant headers: each call refuses it, and never ignores it. */
import { PRINCIPALS, type Where, type Who } from './matrix-people.ts'

/** The tenant or sub-tenant of that place; other values are sent as they are. `none` sends no such header. */
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

/** 403 from every call that identifies its caller. */
export const DISAGREEING: readonly HeaderCase[] = [
  ...PEOPLE.flatMap((who) => [
    ...named(who, 'tenant', others('foreign', 'missing')),
    // Only super admins impersonate: others cannot even name their own company.
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
  // A sub-tenant of one company inside another.
  { who: 'super_inside', named: { impersonate: 'foreign', sub: 'own' } },
  ...named('super_part', 'sub', others('foreign', 'missing')),
  ...named('super_part', 'impersonate', ['foreign', 'home', 'inactive']),
]

/** 401 from every call that identifies its caller: headers do not authenticate. */
export const OF_NOBODY: readonly HeaderCase[] = (
  ['anonymous', 'disabled', 'inactive_admin', 'key_revoked', 'key_orphaned'] as const
).flatMap((who) => [
  { who, named: {} },
  ...named(who, 'tenant', ['own', 'foreign']),
  ...named(who, 'impersonate', ['own', 'foreign']),
  ...named(who, 'sub', ['own']),
])

/** The token names its company, so the answer is the same without the header. */
export const WITHOUT_TENANT: readonly HeaderCase[] = PRINCIPALS.filter((who) => who !== 'anonymous').map(
  (who) => ({ who, named: { tenant: 'none' } }),
)
