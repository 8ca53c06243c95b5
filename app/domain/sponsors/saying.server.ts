/** Messages of sponsors to their learners: encouragements, and acknowledgments of commitments. */
import { addJob } from '#app/db/queue.server.ts'
import { record } from '../audit/audit.server.ts'
import { notFound, Refusal } from '../errors.ts'
import { ownToday } from '../hours/own-clock.server.ts'
import type { Commitment } from '../lifts/commitment.ts'
import { commitmentOf, selectCommitments, toCommitment } from '../lifts/commitments.server.ts'
import { notify } from '../notifications/notifications.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope, tenantWide } from '../scope/scope.server.ts'
import { requireNotErased } from '../users/beside-erasure.server.ts'
import { findLearner } from './sponsored.server.ts'
import type { Encouragement, EncouragementInput } from './sponsored.ts'

/** At most one a day per learner. Idempotent: the same text is the same encouragement. */
export async function encourage(
  scope: Scope,
  journeyId: number,
  input: EncouragementInput,
): Promise<Encouragement> {
  const { user_id, text: said } = input
  await requireNotErased(scope, user_id)
  const found = await asParticipant(scope, async (own) => ({
    ...(await findLearner(own, journeyId, user_id)),
    said_on: await ownToday(own),
  }))
  const { said_on } = found
  if (found.journey.status === 'archived')
    throw new Refusal(409, 'This journey is archived: nobody can be encouraged in it.')
  return tenantWide(scope, async (whole) => {
    const { tenant_id } = whole.actor
    const made = await whole.db
      .insertInto('encouragements')
      .values({
        ...{ tenant_id, journey_id: journeyId, member_id: found.memberId },
        ...{ sponsor_id: found.sponsorId, said, said_on },
      })
      .onConflict((clash) => clash.columns(['tenant_id', 'member_id', 'sponsor_id', 'said_on']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!made) return findToday(whole, found, input)
    await addJob(whole.db, 'send-encouragement', { tenant_id, encouragement_id: made.id })
    await notify(whole, [user_id], {
      notification_type: 'info',
      content: { title: 'Your sponsor wrote to you', message: said, path: `/lljs/${journeyId}/learner` },
    })
    await record(whole, 'learner.encouraged', { type: 'journey', id: journeyId }, { learner: user_id })
    return { id: made.id, user_id, text: said }
  })
}

type Found = Awaited<ReturnType<typeof findLearner>> & { said_on: string }

async function findToday({ db }: Scope, found: Found, { user_id, text }: EncouragementInput) {
  const today = await db
    .selectFrom('encouragements')
    .select(['id', 'said'])
    .where('member_id', '=', found.memberId)
    .where('sponsor_id', '=', found.sponsorId)
    .where('said_on', '=', found.said_on)
    .executeTakeFirstOrThrow()
  if (today.said !== text)
    throw new Refusal(409, 'You have already written to this learner today. You can write again tomorrow.')
  return { id: today.id, user_id, text }
}

/** A commitment of one of the sponsor's learners, if sponsors may read the answer. */
export async function requireSponsoredCommitment(scope: Scope, id: number) {
  const found = await asParticipant(scope, (own) =>
    selectCommitments(own, commitmentOf(id))
      .innerJoin('members as m', 'm.id', 'c.member_id')
      .innerJoin('members as sponsor', 'sponsor.id', 'm.sponsor_id')
      .select(['m.user_id', 'c.response_id'])
      .where('sponsor.user_id', '=', scope.actor.user_id ?? 0)
      .executeTakeFirst(),
  )
  if (!found) throw notFound()
  return found
}

/** Only the version that was shown is acknowledged: the commitment may have changed since. */
export async function acknowledge(scope: Scope, id: number, seen?: number): Promise<Commitment> {
  const before = await requireSponsoredCommitment(scope, id)
  if (seen !== undefined && seen !== before.history.length)
    throw new Refusal(409, 'The learner has changed this commitment. Please look at it again.')
  if (before.acknowledged_at === null)
    await tenantWide(scope, async (whole) => {
      const { user_id } = scope.actor
      const { numUpdatedRows } = await whole.db
        .updateTable('commitments')
        .set({ acknowledged_at: nowIn(whole), acknowledged_by: user_id })
        .where('id', '=', id)
        .where('acknowledged_at', 'is', null)
        .where('response_id', '=', before.response_id)
        .executeTakeFirst()
      // After a double press, the learner is notified once.
      if (numUpdatedRows === 0n) return
      await notify(whole, [before.user_id], {
        notification_type: 'success',
        content: {
          title: 'Your sponsor saw your commitment',
          message: `I will ${before.what}`,
          path: '/todo',
        },
      })
      const subject = { type: 'lift', id: before.lift_id }
      await record(whole, 'commitment.acknowledged', subject, { learner: before.user_id })
    })
  const { user_id: _user, response_id: _answer, ...commitment } = await requireSponsoredCommitment(scope, id)
  return toCommitment(commitment)
}
