import { createClient } from '../client.server.ts'

/** More than is created between a backup and its restore. */
const GAP = 1_000_000

/**
 * After a restore, as the owner: what was lost with it lives on elsewhere by its number, in carriers' reports, in links
 * of messages, in replies and in learning record stores. Nothing new gets these numbers.
 */
export async function numberAnew(ownerUrl: string): Promise<void> {
  const client = createClient(ownerUrl)
  await client.connect()
  try {
    await client.query(`select setval(oid::regclass, nextval(oid::regclass) + ${GAP}) from pg_class
      where relkind = 'S' and relnamespace = 'public'::regnamespace`)
  } finally {
    await client.end()
  }
}
