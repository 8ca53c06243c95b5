/** The demo's companies: what the seed writes, and what the tests call by name. */
import { type DemoPerson, learners } from './people.ts'

export type DemoTenant = {
  name: string
  industry: string
  customer_type: 'Single Tenant' | 'Multi Tenant'
  status: 'active' | 'inactive'
  timezone: string
  plan: string
  categories: readonly string[]
  domain: string
  /** The two colours of its drawn logo. */
  colours: readonly [string, string]
  is_testing?: boolean
  sub_tenants: readonly { name: string; timezone: string }[]
  /** Of the whole company, by what people do. */
  groups?: readonly { name: string; job_titles: readonly string[] }[]
  people: readonly DemoPerson[]
}

/** What each administrator has to read at the beginning. */
export const NOTIFICATIONS_EACH = 3

export const TENANTS: readonly DemoTenant[] = [
  {
    name: 'Northwind Logistics',
    industry: 'Transport and logistics',
    customer_type: 'Multi Tenant',
    status: 'active',
    timezone: 'Europe/Amsterdam',
    plan: 'Enterprise',
    categories: ['Leadership', 'Safety', 'Onboarding', 'Customer care'],
    domain: 'northwind.example',
    colours: ['#1d4ed8', '#93c5fd'],
    sub_tenants: [
      { name: 'Northwind Europe', timezone: 'Europe/Amsterdam' },
      { name: 'Northwind Americas', timezone: 'America/Chicago' },
      { name: 'Northwind Asia-Pacific', timezone: 'Asia/Singapore' },
    ],
    groups: [
      { name: 'People who lead a team', job_titles: ['Team lead', 'Shift lead', 'Operations manager'] },
      { name: 'People who talk to customers', job_titles: ['Account manager', 'Customer care'] },
    ],
    people: [
      {
        first_name: 'Adam',
        last_name: 'Visser',
        email: 'adam@northwind.example',
        role: 'admin',
        job_title: 'Head of learning',
        account: 'admin',
        accepts_terms: true,
      },
      {
        first_name: 'Aya',
        last_name: 'Nakamura',
        email: 'aya@northwind.example',
        role: 'author',
        job_title: 'Learning designer',
        account: 'author',
        accepts_terms: true,
      },
      {
        first_name: 'Uri',
        last_name: 'Cohen',
        email: 'uri@northwind.example',
        role: 'user',
        job_title: 'Shift lead',
        account: 'user',
        timezone: 'Europe/Amsterdam',
        mobile_phone: '+31612345678',
        accepts_terms: true,
        sub_tenants: ['Northwind Europe'],
      },
      {
        first_name: 'Eva',
        last_name: 'Jansen',
        email: 'eva@northwind.example',
        role: 'admin',
        job_title: 'Learning lead, Europe',
        account: 'sub-tenant admin',
        accepts_terms: true,
        sub_tenants: ['Northwind Europe', 'Northwind Americas'],
      },
      {
        first_name: 'Sam',
        last_name: 'de Boer',
        email: 'sam@northwind.example',
        role: 'user',
        job_title: 'Operations manager',
        account: 'sponsor',
        accepts_terms: true,
      },
      ...learners('northwind.example', 24, 0, [
        { timezone: 'Europe/Amsterdam', sub_tenants: ['Northwind Europe'] },
        { timezone: 'America/Chicago', sub_tenants: ['Northwind Americas'] },
        { timezone: 'Asia/Singapore', sub_tenants: ['Northwind Asia-Pacific'] },
        { timezone: 'Europe/Lisbon', sub_tenants: ['Northwind Europe'] },
      ]),
    ],
  },
  {
    name: 'Harbor Health',
    industry: 'Health care',
    customer_type: 'Single Tenant',
    status: 'active',
    timezone: 'America/New_York',
    plan: 'Team',
    categories: ['Patient safety', 'Communication', 'Compliance'],
    domain: 'harbor.example',
    colours: ['#0f766e', '#99f6e4'],
    sub_tenants: [],
    people: [
      {
        first_name: 'Grace',
        last_name: 'Okoye',
        email: 'grace@harbor.example',
        role: 'admin',
        job_title: 'Director of education',
        account: 'admin',
        accepts_terms: true,
      },
      {
        first_name: 'Theo',
        last_name: 'Marchetti',
        email: 'theo@harbor.example',
        role: 'author',
        job_title: 'Nurse educator',
        account: 'author',
        accepts_terms: true,
      },
      ...learners('harbor.example', 16, 40, [
        { timezone: 'America/New_York' },
        { timezone: 'America/Los_Angeles' },
      ]),
    ],
  },
  {
    name: 'Bluepeak Retail',
    industry: 'Retail',
    customer_type: 'Single Tenant',
    status: 'inactive',
    timezone: 'Europe/London',
    plan: 'Starter',
    categories: ['Sales'],
    domain: 'bluepeak.example',
    colours: ['#b45309', '#fde68a'],
    sub_tenants: [],
    people: learners('bluepeak.example', 5, 70, [{ timezone: 'Europe/London' }]),
  },
  {
    name: 'Liftwell Testing',
    industry: 'Education',
    customer_type: 'Single Tenant',
    status: 'active',
    timezone: 'UTC',
    plan: 'Internal',
    categories: ['Try-outs', 'Onboarding'],
    domain: 'testing.example',
    colours: ['#5b21b6', '#ddd6fe'],
    is_testing: true,
    sub_tenants: [],
    people: [
      {
        first_name: 'Tess',
        last_name: 'Keller',
        email: 'tess@testing.example',
        role: 'admin',
        job_title: 'Test lead',
        account: 'admin',
        accepts_terms: true,
      },
      {
        first_name: 'Toni',
        last_name: 'Alvarez',
        email: 'toni@testing.example',
        role: 'author',
        job_title: 'Author',
        account: 'author',
        accepts_terms: true,
      },
      {
        first_name: 'Lena',
        last_name: 'Hoffmann',
        email: 'lena@testing.example',
        role: 'user',
        job_title: 'Learner',
        account: 'learner',
        timezone: 'Europe/Berlin',
      },
      {
        first_name: 'Ravi',
        last_name: 'Menon',
        email: 'ravi@testing.example',
        role: 'user',
        job_title: 'Learner',
        account: 'learner',
        timezone: 'Asia/Kolkata',
      },
      ...learners('testing.example', 6, 80, [{ timezone: 'UTC' }]),
    ],
  },
]
