/** Warnings about messages and questions of a draft that their author may not intend. */
import { messageWarnings, NO_SPONSOR, namesSponsor } from '../journeys/template.ts'
import { asksTwice, twoInOne } from '../lifts/asks-twice.ts'
import type { Scope } from '../scope/scope.server.ts'

export type Warning = { lift_id: number; message: string }
/** What a lift says to its learners. */
export type Told = { id: number; title: string; message: string; questions: readonly string[] }

/** Nobody reads more. */
const MAX = 20

export async function findWarnings(
  scope: Scope,
  journeyId: number,
  lifts: readonly Told[],
): Promise<Warning[]> {
  const alone = lifts.some(({ message }) => namesSponsor(message))
    ? await countWithoutSponsor(scope, journeyId)
    : 0
  return [...lifts.flatMap((lift) => inMessage(lift, alone)), ...lifts.flatMap(inQuestions)].slice(0, MAX)
}

const inQuestions = ({ id: lift_id, questions }: Told): Warning[] =>
  questions.filter(asksTwice).map((text) => ({ lift_id, message: twoInOne(text) }))

function inMessage({ id: lift_id, title, message }: Told, alone: number): Warning[] {
  return messageWarnings(message).flatMap((warning): Warning[] => {
    if (!warning.includes(NO_SPONSOR)) return [{ lift_id, message: `“${title}”: ${warning}` }]
    if (alone === 0) return []
    const who = alone === 1 ? '1 learner has' : `${alone} learners have`
    const reads = alone === 1 ? 'reads' : 'read'
    return [{ lift_id, message: `“${title}”: ${who} no sponsor and ${reads} “${NO_SPONSOR}” instead.` }]
  })
}

async function countWithoutSponsor({ db }: Scope, journeyId: number): Promise<number> {
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
