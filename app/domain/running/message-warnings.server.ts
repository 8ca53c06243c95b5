/** Warnings about messages and questions of a draft that their author may not intend. */
import { sql } from 'kysely'
import { messageWarnings, NO_SPONSOR, namesSponsor } from '../journeys/template.ts'
import { asksTwice, twoInOne } from '../lifts/asks-twice.ts'
import type { Scope } from '../scope/scope.server.ts'

type Warning = { lift_id: number; message: string }

/** Nobody reads more. */
const MAX = 20

export async function findWarnings(scope: Scope, journeyId: number): Promise<Warning[]> {
  const found = [...(await findInMessages(scope, journeyId)), ...(await findInQuestions(scope, journeyId))]
  return found.slice(0, MAX)
}

async function findInQuestions({ db }: Scope, journeyId: number): Promise<Warning[]> {
  const { rows } = await sql<{ lift_id: number; text: string }>`
    select p.lift_id, p.text from prompts p join lifts l on l.tenant_id = p.tenant_id and l.id = p.lift_id
    where l.journey_id = ${journeyId} and l.status = 'ready' and p.retired_on is null
    order by l.position, p.position`.execute(db)
  return rows
    .filter(({ text }) => asksTwice(text))
    .map(({ lift_id, text }) => ({ lift_id, message: twoInOne(text) }))
}

async function findInMessages({ db }: Scope, journeyId: number): Promise<Warning[]> {
  const { rows } = await sql<{ id: number; title: string; text: string }>`
    select id, title, sms_text || ' ' || email_subject as text from lifts
    where journey_id = ${journeyId} and status = 'ready' and sms_text || email_subject like '%{{%'
    order by position`.execute(db)
  const alone = rows.some(({ text }) => namesSponsor(text)) ? await countWithoutSponsor({ db }, journeyId) : 0
  return rows.flatMap(({ id, title, text }) =>
    messageWarnings(text).flatMap((message): Warning[] => {
      if (!message.includes(NO_SPONSOR)) return [{ lift_id: id, message: `“${title}”: ${message}` }]
      if (alone === 0) return []
      const who = alone === 1 ? '1 learner has' : `${alone} learners have`
      const reads = alone === 1 ? 'reads' : 'read'
      return [{ lift_id: id, message: `“${title}”: ${who} no sponsor and ${reads} “${NO_SPONSOR}” instead.` }]
    }),
  )
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
