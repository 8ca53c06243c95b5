/** Removes uploads that no lift has shown for a day: before that, an open form may be about to use one. */
import { sql } from 'kysely'
import { removeUnusedFile, whichAreKnown } from '#app/domain/files/unused.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { fileStore } from '#app/integrations/stores/files.server.ts'
import type { JobContext } from './context.ts'

type Needed = Pick<JobContext, 'database' | 'log'>

const DAY_MS = 86_400_000

export async function removeUnusedFiles({ database, log }: Needed): Promise<void> {
  const { rows } = await sql<{ tenant_id: string; id: string }>`select * from unused_files()`.execute(
    database,
  )
  let removed = 0
  for (const { tenant_id, id } of rows)
    if (await inScope(database, systemActor(tenant_id), (scope) => removeUnusedFile(scope, id))) removed += 1
  const swept = await fileStore()?.sweep?.(new Date(Date.now() - DAY_MS), (tenantId, ids) =>
    inScope(database, systemActor(tenantId), (scope) => whichAreKnown(scope, ids)),
  )
  if (removed > 0 || swept) log.info({ event: 'files.removed', removed, swept })
}
