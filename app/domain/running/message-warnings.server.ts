/** What the messages of a draft would say that their author may not mean. */
import { sql } from 'kysely'
import { messageWarnings, NO_SPONSOR, namesSponsor } from '../journeys/template.ts'
import type { Scope } from '../scope.server.ts'

type Warning = { lift_id: number; message: string }

/** As many as one reads. */
const MOST = 20

export async function findWarnings({ db }: Scope, journeyId: number): Promise<Warning[]> {
  const { rows } = await sql<{ id: number; title: string; text: string }>`
    select id, title, sms_text || ' ' || email_subject as text from lifts
    where journey_id = ${journeyId} and status = 'ready' and sms_text || email_subject like '%{{%'
    order by position`.execute(db)
  const alone = rows.some(({ text }) => namesSponsor(text)) ? await countWithoutSponsor({ db }, journeyId) : 0
  return rows
    .flatMap(({ id, title, text }) =>
      messageWarnings(text).flatMap((message): Warning[] => {
        if (!message.includes(NO_SPONSOR)) return [{ lift_id: id, message: `“${title}”: ${message}` }]
        if (alone === 0) return []
        const who = alone === 1 ? '1 learner has' : `${alone} learners have`
        return [{ lift_id: id, message: `“${title}”: ${who} no sponsor and read “${NO_SPONSOR}” instead.` }]
      }),
    )
    .slice(0, MOST)
}

async function countWithoutSponsor({ db }: Pick<Scope, 'db'>, journeyId: number): Promise<number> {
  const { count } = await db
    .selectFrom('members')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('journey_id', '=', journeyId)
    .where('role', '=', 'learner')
    .where('state', '!=', 'withdrawn')
    .where('sponsor_id', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
