/** The demo's companies: what the seed writes, and what tests refer to by name. */
import type { DemoTenant } from './demo-tenant.ts'
import { NORTHWIND } from './northwind.ts'
import { learners } from './people.ts'

/** How many notifications each administrator begins with. */
export const NOTIFICATIONS_EACH = 3

export const TENANTS: readonly DemoTenant[] = [
  NORTHWIND,
  {
    name: 'Harbor Health',
    industry: 'Health care',
    customer_type: 'Single Tenant',
    status: 'active',
    timezone: 'America/New_York',
    plan: 'Team',
    categories: ['Patient safety', 'Communication', 'Compliance'],
    domain: 'harbor.example',
    colors: ['#0f766e', '#99f6e4'],
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
    colors: ['#b45309', '#fde68a'],
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
    colors: ['#5b21b6', '#ddd6fe'],
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
