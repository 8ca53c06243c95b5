/** On Mondays, mails the administrators and authors who asked for it a summary of their journeys' week, once. */
import { sql } from 'kysely'
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { beginWeek } from '#app/domain/mail-stops/monday-mails.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { composeSummary } from '#app/domain/summaries/mails.server.ts'
import type { JobContext } from './context.ts'
import { sendOfJourney } from './sending/send-once.server.ts'

type Found = { tenant_id: string; user_id: number; week_on: string }

export async function summarizeWeeks(
  { database, log }: Pick<JobContext, 'database' | 'log'>,
  _payload?: unknown,
  at = new Date(),
): Promise<void> {
  const { rows } =
    await sql<Found>`select tenant_id, user_id, week_on::text from people_to_summarize(${at})`.execute(
      database,
    )
  for (const { tenant_id, user_id, week_on } of rows)
    await inScope(database, systemActor(tenant_id), async (scope) => {
      if (await beginWeek(scope, user_id, 'summary', week_on))
        await addJob(scope.db, 'mail-summary', { tenant_id, user_id, week_on })
    }).catch((err: unknown) => log.error({ event: 'week.not-summarized', user: user_id, err }))
}

const Payload = z.object({ tenant_id: z.uuid(), user_id: z.number().int(), week_on: z.iso.date() })

export async function mailSummary(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, user_id, week_on } = Payload.parse(payload)
  await sendOfJourney(
    context,
    { name: 'mail-summary', payload: { tenant_id, user_id, week_on } },
    {
      key: `summary:${user_id}:${week_on}`,
      user_id,
      compose: (scope, links) => composeSummary(scope, week_on, links),
    },
  )
}
