export type DemoPerson = {
  first_name: string
  last_name: string
  email: string
  role: 'admin' | 'author' | 'user'
  job_title: string
  department?: string
  timezone?: string
  mobile_phone?: string
  sms_opt_in?: boolean
  /** Names of sub-tenants; none means the whole tenant. */
  sub_tenants?: readonly string[]
  /** Gets its own password and is listed in `demo:accounts`. */
  account?: string
  accepts_terms?: boolean
}

const FIRST = [
  'Mara',
  'Jonas',
  'Priya',
  'Diego',
  'Aiko',
  'Noah',
  'Zanele',
  'Luca',
  'Ingrid',
  'Omar',
  'Chloe',
  'Mateus',
]
const LAST = [
  'Fischer',
  'Okafor',
  'Sato',
  'Moreau',
  'Silva',
  'Novak',
  'Haddad',
  'Berg',
  'Kaur',
  'Rossi',
  'Walker',
]
const TITLES = ['Shift lead', 'Account manager', 'Planner', 'Team lead', 'Customer care', 'Analyst', 'Buyer']
const DEPARTMENTS = ['Operations', 'Sales', 'Warehouse', 'Customer service', 'Finance']

/** `count` learners with distinct names, spread over the zones. */
export function learners(
  domain: string,
  count: number,
  from: number,
  more: Partial<DemoPerson>[],
): DemoPerson[] {
  return Array.from({ length: count }, (_, index) => {
    const number = from + index
    const first_name = FIRST[number % FIRST.length] ?? 'Mara'
    const last_name = LAST[(number * 5 + Math.floor(number / FIRST.length)) % LAST.length] ?? 'Berg'
    return {
      first_name,
      last_name,
      email: `${first_name}.${last_name}.${number}@${domain}`.toLowerCase(),
      role: 'user' as const,
      job_title: TITLES[number % TITLES.length] ?? 'Analyst',
      department: DEPARTMENTS[number % DEPARTMENTS.length] ?? 'Operations',
      mobile_phone: `+1202555${String(1000 + number)}`,
      sms_opt_in: number % 3 === 0,
      accepts_terms: true,
      ...more[index % more.length],
    }
  })
}
