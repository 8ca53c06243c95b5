/** On Mondays, queues one mail for each sponsor with a learner who needs attention. */
import { sql } from 'kysely'
import { addJob } from '#app/db/queue.server.ts'
import { beginWeek } from '#app/domain/mail-stops/monday-mails.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { getSponsorBrief } from '#app/domain/sponsors/brief.server.ts'
import { hasSomething } from '#app/domain/sponsors/mails.server.ts'
import type { JobContext } from './context.ts'

type Found = { tenant_id: string; user_id: number; week_on: string }

export async function briefSponsors(
  { database, log }: Pick<JobContext, 'database' | 'log'>,
  _payload?: unknown,
  at = new Date(),
): Promise<void> {
  const { rows } =
    await sql<Found>`select tenant_id, user_id, week_on::text from sponsors_to_brief(${at})`.execute(database)
  for (const { tenant_id, user_id, week_on } of rows)
    await inScope(database, { ...systemActor(tenant_id), user_id }, async (scope) => {
      if (!(await beginWeek(scope, user_id, 'brief', week_on))) return
      if (!hasSomething(await getSponsorBrief(scope))) return
      await addJob(scope.db, 'mail-sponsor', { tenant_id, user_id, about: { week_on } })
    }).catch((err: unknown) => log.error({ event: 'sponsor.not-briefed', user: user_id, err }))
}
