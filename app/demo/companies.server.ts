import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Scope, withinTenant } from '#app/domain/scope/scope.server.ts'
import { foundPlatform } from '#app/domain/users/first-super-admin.server.ts'
import type { DemoTenant } from './demo-tenant.ts'
import { OPERATOR, SUPER_ADMIN } from './operator.ts'
import type { DemoPerson } from './people.ts'

/** How the identity provider knows the demo's accounts. */
export type DemoWorld = { subjects: ReadonlyMap<string, string>; issuer: string; pool_id: string }

export async function seedOperator(scope: Scope, world: DemoWorld): Promise<void> {
  const { id } = await scope.db
    .insertInto('tenants')
    .values({ name: OPERATOR.name, pool_id: world.pool_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  await withinTenant(scope, id, async (inner) => {
    const person = { ...SUPER_ADMIN, role: 'admin' as const, accepts_terms: true }
    await foundPlatform(inner, await keepPerson(inner, person, world, new Map()))
  })
}

export async function seedCompany(scope: Scope, company: DemoTenant, world: DemoWorld): Promise<string> {
  const { id } = await scope.db
    .insertInto('tenants')
    .values({
      name: company.name,
      industry: company.industry,
      customer_type: company.customer_type,
      status: company.status,
      timezone: company.timezone,
      plan: company.plan,
      created_on: daysAgo(400 + spreadOf(company.domain)),
      llj_categories: [...company.categories],
      is_testing: company.is_testing ?? false,
      pool_id: world.pool_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

  await withinTenant(scope, id, async (inner) => {
    await seedLogo(inner, company)
    const subTenants = new Map<string, string>()
    for (const sub of company.sub_tenants) {
      const row = await inner.db
        .insertInto('sub_tenants')
        .values({
          tenant_id: id,
          name: sub.name,
          timezone: sub.timezone,
          categories: [...company.categories],
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      subTenants.set(sub.name, row.id)
    }
    for (const person of company.people) await keepPerson(inner, person, world, subTenants)
  })
  return id
}

/** Writes people as they were at the beginning, whether or not they exist already. */
export async function keepPerson(
  { db, actor }: Scope,
  person: DemoPerson,
  { subjects, issuer }: DemoWorld,
  subTenants: ReadonlyMap<string, string>,
): Promise<number> {
  const { tenant_id } = actor
  const subject = subjects.get(person.email)
  const { id: user_id } = await db
    .insertInto('users')
    .values({
      tenant_id,
      email: person.email,
      first_name: person.first_name,
      last_name: person.last_name,
      job_title: person.job_title,
      department: person.department ?? null,
      timezone: person.timezone ?? null,
      created_on: daysAgo(spreadOf(person.email)),
      mobile_phone: person.mobile_phone ?? null,
      sms_opt_in: person.sms_opt_in ?? false,
      activation_status: subject || person.accepts_terms ? 'active' : 'invited',
      accepted_terms_on: person.accepts_terms ? daysAgo(spreadOf(person.email)) : null,
      last_seen_on: person.accepts_terms ? daysAgo(spreadOf(person.email) % 7) : null,
    })
    .onConflict((clash) =>
      clash.column('email').doUpdateSet((is) => ({
        ...Object.fromEntries(PUT_BACK.map((column) => [column, is.ref(`excluded.${column}`)])),
        ...{ lock_version: sql`users.lock_version + 1`, muted_notifications: sql`'{}'::text[]` },
        ...{ weekly_summary: false, phone_verified_on: null },
      })),
    )
    .returning('id')
    .executeTakeFirstOrThrow()

  await db.deleteFrom('user_general_roles').where('user_id', '=', user_id).execute()
  const subTenantIds = person.sub_tenants?.map((name) => subTenants.get(name) ?? null) ?? [null]
  await db
    .insertInto('user_general_roles')
    .values(subTenantIds.map((sub_tenant_id) => ({ tenant_id, user_id, role: person.role, sub_tenant_id })))
    .execute()
  if (subject)
    await db
      .insertInto('user_identities')
      .values({ tenant_id, user_id, issuer, subject })
      .onConflict((clash) => clash.doNothing())
      .execute()
  if (person.sms_opt_in && person.mobile_phone) {
    const event = { number: person.mobile_phone, user_id, action: 'opt_in' as const, source: 'profile' }
    await db
      .insertInto('consent_events')
      .values({ tenant_id, ...event, wording_id: 'sms-2026-1', at: daysAgo(spreadOf(person.email)) })
      .execute()
  }
  return user_id
}

const PUT_BACK = [
  ...([
    'first_name',
    'last_name',
    'job_title',
    'department',
    'timezone',
    'mobile_phone',
    'sms_opt_in',
  ] as const),
  ...(['activation_status', 'accepted_terms_on'] as const),
]

/** An SVG logo: the company's initial on its two colors. */
async function seedLogo({ db, actor }: Scope, { name, colors: [dark, light] }: DemoTenant): Promise<void> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" rx="56" fill="${dark}"/>
    <path d="M56 190 128 62l72 128z" fill="${light}" opacity=".35"/><text x="128" y="176" font-family="sans-serif"
    font-size="136" font-weight="700" text-anchor="middle" fill="${light}">${name.charAt(0)}</text></svg>`
  const { default: sharp } = await import('sharp')
  const bytes = await sharp(Buffer.from(svg)).png().toBuffer()
  const { id } = await db
    .insertInto('files')
    .values({
      tenant_id: actor.tenant_id,
      kind: 'logo',
      content_type: 'image/png',
      file_name: 'logo.png',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      bytes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('tenants').set({ logo_file_id: id }).where('id', '=', actor.tenant_id).execute()
}

const DAY = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * DAY)

/** Between 20 and 379, the same for the same text, so that companies and people do not all arrive on one day. */
function spreadOf(text: string): number {
  let sum = 0
  for (const letter of text) sum = (sum * 31 + letter.charCodeAt(0)) % 360
  return 20 + sum
}
