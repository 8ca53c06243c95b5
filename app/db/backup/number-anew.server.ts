import { createClient } from '../client.server.ts'

/** More messages than leave between a backup and its restore. */
const GAP = 1_000_000

/** After a restore, as the owner: carriers go on reporting on the messages that were lost with it, by their numbers. */
export async function numberAnew(ownerUrl: string): Promise<void> {
  const client = createClient(ownerUrl)
  await client.connect()
  try {
    await client.query(`select setval('dispatches_id_seq', nextval('dispatches_id_seq') + ${GAP})`)
  } finally {
    await client.end()
  }
}
