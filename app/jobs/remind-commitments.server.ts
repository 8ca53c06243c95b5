/** Queues a reminder for each learner on the day of their commitment, and sends it in the daytime of their zone. */
import { sql } from 'kysely'
import { z } from 'zod'
import { addJob } from '#app/db/queue.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { beginDay, composeDay } from '#app/domain/sponsors/commitment-day.server.ts'
import type { JobContext } from './context.ts'
import { sendOfJourney } from './sending/send-once.server.ts'

type Found = { tenant_id: string; user_id: number; by_on: string }

export async function remindCommitments(
  { database, log }: Pick<JobContext, 'database' | 'log'>,
  _payload?: unknown,
  at = new Date(),
): Promise<void> {
  const { rows } =
    await sql<Found>`select tenant_id, user_id, by_on::text from commitments_to_remind(${at})`.execute(
      database,
    )
  for (const { tenant_id, user_id, by_on } of rows)
    await inScope(database, systemActor(tenant_id), async (scope) => {
      if (await beginDay(scope, user_id, by_on))
        await addJob(scope.db, 'send-commitments', { tenant_id, user_id, by_on })
    }).catch((err: unknown) => log.error({ event: 'commitment.not-reminded', user: user_id, err }))
}

const Payload = z.object({ tenant_id: z.uuid(), user_id: z.number().int(), by_on: z.iso.date() })

export async function sendCommitments(context: JobContext, payload: unknown): Promise<void> {
  const { tenant_id, user_id, by_on } = Payload.parse(payload)
  await sendOfJourney(
    context,
    { name: 'send-commitments', payload: { tenant_id, user_id, by_on } },
    {
      key: `commitments:${user_id}:${by_on}`,
      compose: (scope, links) => composeDay(scope, user_id, by_on, links),
    },
  )
}
