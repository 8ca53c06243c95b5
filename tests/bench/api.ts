/** The API in this process on a database of its own, asked as an administrator. */
import pg from 'pg'
import { createWorld } from '#tests/api/tenants-world.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { startTestPostgres } from '#tests/support/postgres.ts'

export async function openApi() {
  const { postgres, stop } = await startTestPostgres(process.env.DATABASE_URL)
  const database = await createTestDatabase(postgres)
  const world = await createWorld(database.app)
  const admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  return {
    admin,
    adam: world.people.adam,
    async ask(path: string) {
      const answer = await world.call('adam', 'GET', path)
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`)
      return answer.json
    },
    async close() {
      await admin.end()
      await database.drop()
      await stop()
    },
  }
}
