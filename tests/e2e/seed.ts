/** One PostgreSQL for all workers, as in the Vitest suites: each worker's product begins with a copy of the demo. */
import { startTestPostgres } from '../support/postgres.ts'

export default async function seed(): Promise<() => Promise<void>> {
  const { postgres, stop } = await startTestPostgres()
  process.env.E2E_POSTGRES = JSON.stringify(postgres)
  return stop
}
