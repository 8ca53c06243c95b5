/** Prepares, opens and closes the forms of assessments, and tells the people who fill them in. */
import { sql } from 'kysely'
import { lookAfterAssessment } from '#app/domain/assessments/opening.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import type { JobContext } from './context.ts'

type Found = { tenant_id: string; id: number }

export async function lookAfterAssessments({ database, log }: JobContext): Promise<void> {
  const { rows } = await sql<Found>`select * from assessments_to_look_after()`.execute(database)
  for (const { tenant_id, id } of rows)
    await inScope(database, systemActor(tenant_id), (scope) => lookAfterAssessment(scope, id)).catch(
      (err: unknown) => log.error({ event: 'assessment.not-looked-after', assessment: id, err }),
    )
}
