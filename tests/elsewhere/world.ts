/** Data that another platform can have: both kinds of ids, fields null, missing or unknown to us, various dates. */
export type Kind = 'numbers' | 'texts'

export type Tenant = Record<string, unknown> & {
  id: number | string
  name: string
  sub_tenants?: SubTenant[] | null
}
export type SubTenant = Record<string, unknown> & { id: number | string; name: string }
export type Person = Record<string, unknown> & { sub: string; email: string }
export type Notification = Record<string, unknown> & { id: number | string; has_read: boolean }

export type World = {
  kind: Kind
  tenants: Tenant[]
  people: Person[]
  notifications: Notification[]
  /** The server returns at most this many, whatever the request asks for. */
  most?: number
  welcomed: unknown[]
  tests: { lift: string; phones: string[] }[]
}

/** Numbers, or texts, of which some look like numbers and some unlike any id of ours. */
const IDS: Record<Kind, (number: number) => number | string> = {
  numbers: (number) => number,
  texts: (number) => (number % 3 === 0 ? String(number) : number % 3 === 1 ? `t-${number}` : `a b/${number}`),
}

export function makeWorld(kind: Kind): World {
  const id = IDS[kind]
  const acme = { id: id(1), name: 'Acme Platform', status: 'active', logo: null }
  const home = { ...acme, customer_type: 'Multi Tenant', timezone: 'Europe/Madrid' }
  const role = (name: string, tenant_id: unknown, sub_tenant_id: unknown = null) => ({
    role: name,
    tenant_id,
    sub_tenant_id,
    exclude_data: false,
  })
  const parts = [
    { id: id(21), name: 'North', status: 'active', logo: null, x_colour: 'red' },
    { id: id(22), name: 'South', status: 'active' },
    { id: id(23), name: 'Closed', status: 'inactive' },
  ]
  const person = (number: number, first_name: string, more: Record<string, unknown> = {}) => ({
    id: id(number),
    sub: `sub-${first_name.toLowerCase()}`,
    email: `${first_name.toLowerCase()}@acme.example`,
    first_name,
    last_name: 'Vega',
    activation_status: 'active',
    accept_terms_and_conditions: true,
    is_super_admin: false,
    is_impersonating: false,
    should_enter_subtenant: false,
    sms_opt_in: null,
    user_general_roles: [],
    unheard_of: { nested: [1, 2] },
    ...more,
  })
  return {
    kind,
    tenants: [
      {
        ...home,
        industry: null,
        categories: ['Safety', 'Sales'],
        plan: 'Gold',
        sub_tenants: parts,
        admins: [
          { id: id(31), first_name: 'Ada', last_name: null, email: 'ada@acme.example' },
          { id: id(33), first_name: 'Cleo', last_name: 'Vega', email: 'cleo@acme.example' },
        ],
        created_on: '2026-11-20T09:30:00',
      },
      {
        id: id(2),
        name: 'Borealis',
        customer_type: 'Single Tenant',
        status: 'active',
        created_on: '2026-11-19T23:30:00.123456+02:00',
        sub_tenants: null,
      },
      { id: id(3), name: 'Cumulus', status: 'inactive', created_on: null, color: 'blue' },
      ...Array.from({ length: 22 }, (_, number) => ({
        id: id(100 + number),
        name: `Tenant ${number + 1}`,
        customer_type: 'Single Tenant',
        status: 'active',
        created_on: '2026-01-02 03:04:05',
      })),
    ],
    people: [
      person(11, 'Sol', { is_super_admin: true, tenant: home, current_tenant: acme }),
      person(12, 'Ada', {
        tenant: home,
        current_tenant: acme,
        job_title: 'Head of learning',
        user_general_roles: [role('admin', id(1)), role('unknown_role', id(1))],
      }),
      person(13, 'Nina', {
        tenant: home,
        current_tenant: acme,
        should_enter_subtenant: true,
        user_general_roles: [role('admin', id(1), id(21)), role('admin', id(1), id(22))],
      }),
      person(14, 'Tom', {
        tenant: home,
        accept_terms_and_conditions: false,
        user_general_roles: [role('user', id(1))],
        mobile_phone: null,
        last_name: undefined,
        activation_status: undefined,
      }),
      person(15, 'Dora', { tenant: home, current_tenant: acme, activation_status: 'disabled' }),
      person(16, 'Ivo', { tenant: home, current_tenant: { ...acme, status: 'inactive' } }),
    ],
    notifications: [
      {
        id: id(41),
        content: { title: 'Journey launched', message: 'Safety begins on Monday.' },
        notification_type: 'launch',
        has_read: false,
        created_on: '2026-11-20T09:30:00',
      },
      {
        id: id(42),
        content: { title: 'Old news', message: null, icon: 'bell' },
        notification_type: 'something_new',
        has_read: true,
        created_on: '2025-02-03T04:05:06Z',
      },
      ...Array.from({ length: 10 }, (_, number) => ({
        id: id(50 + number),
        content: { title: `Note ${number + 1}`, message: 'More.' },
        notification_type: 'info',
        has_read: true,
        created_on: number === 3 ? null : '2024-05-06 07:08:09+00:00',
      })),
    ],
    welcomed: [],
    tests: [],
  }
}
