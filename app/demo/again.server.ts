/** Resets the testing tenant to the beginning of the demo: its people, its journeys, and nothing that happened since. */
import { readDemoAccounts } from '#app/demo/accounts.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { empty } from '#app/domain/testing/start-again.server.ts'
import { keepPerson } from './companies.server.ts'
import { seedJourneys } from './journeys.server.ts'
import { seedNotifications } from './notifications.server.ts'
import type { Seeding } from './seed.server.ts'
import { NOTIFICATIONS_EACH, TENANTS } from './world.ts'

/** `by`: the person who asked for it stays, even if they were not there at the beginning. */
export async function beginAgain(seeding: Seeding, tenantId: string, by: number | null): Promise<void> {
  const company = TENANTS.find((one) => one.is_testing)
  if (!company) throw new Error('The demo has no testing tenant.')
  const { database, issuer, pool_id } = seeding
  const subjects = await findSubjects(seeding, tenantId)
  const addresses = company.people.map(({ email }) => email)
  await inScope(database, systemActor(tenantId), async (before) => {
    const scope = await empty(before, addresses, by)
    const { industry, timezone, plan, categories } = company
    await scope.db
      .updateTable('tenants')
      .set({ industry, timezone, plan, llj_categories: [...categories], settings: '{}' })
      .where('id', '=', tenantId)
      .execute()
    for (const person of company.people)
      await keepPerson(scope, person, { subjects, issuer, pool_id }, new Map())
    await seedJourneys(scope, company)
    await seedNotifications(scope, NOTIFICATIONS_EACH)
  })
}

/** Existing accounts stay as they are; deleted ones are created again. */
async function findSubjects({ database, config, issuer, makeAccount }: Seeding, tenantId: string) {
  const accounts = (await readDemoAccounts(config.DATA_DIR)) ?? []
  const known = await inScope(database, systemActor(tenantId), ({ db }) =>
    db
      .selectFrom('user_identities as known')
      .innerJoin('users', 'users.id', 'known.user_id')
      .select(['users.email', 'known.subject'])
      .where('known.issuer', '=', issuer)
      .execute(),
  )
  const subjects = new Map(known.map(({ email, subject }) => [email.toLowerCase(), subject]))
  const testing = TENANTS.find((one) => one.is_testing)?.name
  for (const account of accounts)
    if (account.tenant === testing && !subjects.has(account.email))
      subjects.set(account.email, await makeAccount(account))
  return subjects
}
