/** Makes an xAPI statement of one occasion. Deterministic: the same occasion always has the same id. */
import { v5 as uuidOf } from 'uuid'
import type { Prompt } from '../lifts/prompt.ts'
import { isReadable } from '../responses/response.ts'
import { toPoints } from '../responses/score.ts'
import { questionOf, responseOf } from './interaction.ts'
import {
  type Activity,
  type Agent,
  durationOf,
  inAnyLanguage,
  type Occasion,
  type Statement,
  TYPES,
  VERBS,
} from './statement.ts'

/** `prompt_id` and the fields after it are set only for answers and scores. */
export type Happened = {
  occasion: Occasion
  /** The id of the occurrence or of the answer; `moment` is exact to the microsecond. */
  id: number
  moment: string
  at: Date
  opened_at: Date | null
  member_id: number
  user_id: number
  email: string
  name: string
  lift_id: number
  lift: string
  prompt_id: number | null
  value: unknown
  visibility: string | null
  score: number | null
}

export type Telling = {
  tenant_id: string
  origin: string
  journey: { id: number; name: string }
  with_addresses: boolean
}

export function makeStatement(telling: Telling, happened: Happened, prompt: Prompt | undefined): Statement {
  const { tenant_id, origin, journey, with_addresses } = telling
  const { occasion, id, moment, score, member_id } = happened
  const named = with_addresses ? 'address' : 'account'
  const course = activity(`${origin}/lljs/${journey.id}`, TYPES.journey, journey.name)
  const lesson = activity(`${origin}/lift/${happened.lift_id}`, TYPES.lift, happened.lift)
  const isOfQuestion = happened.prompt_id !== null
  return {
    id: uuidOf(`${named}:${occasion}:${id}:${moment}:${score ?? ''}`, tenant_id),
    actor: actorOf(telling, happened),
    verb: VERBS[occasion],
    object: isOfQuestion ? question(lesson.id, happened.prompt_id, prompt) : lesson,
    ...resultOf(happened, prompt),
    context: {
      registration: uuidOf(`member:${member_id}`, tenant_id),
      platform: 'Liftwell',
      contextActivities: { parent: [isOfQuestion ? lesson : course], grouping: [course] },
    },
    timestamp: happened.at.toISOString(),
  }
}

const activity = (id: string, type: string, name: string): Activity => ({
  objectType: 'Activity',
  id,
  definition: { type, name: inAnyLanguage(name) },
})

/** For a deleted question only its place in the lift is known. */
function question(lift: string, id: number | null, prompt: Prompt | undefined): Activity {
  const place = { objectType: 'Activity' as const, id: `${lift}#prompt-${id}` }
  const definition = prompt && questionOf(prompt)
  return definition ? { ...place, definition } : place
}

/** The pseudonym means nothing outside Liftwell, and is always the same for a person. */
const actorOf = (
  { tenant_id, origin, with_addresses }: Telling,
  { user_id, email, name }: Happened,
): Agent => ({
  objectType: 'Agent',
  ...(with_addresses
    ? { mbox: `mailto:${email}`, name }
    : { account: { homePage: origin, name: uuidOf(`learner:${user_id}`, tenant_id) } }),
})

function resultOf(
  { occasion, value, visibility, score, at, opened_at }: Happened,
  prompt: Prompt | undefined,
): Pick<Statement, 'result'> {
  if (occasion === 'completed') {
    const took = opened_at === null ? null : at.getTime() - opened_at.getTime()
    const duration = took !== null && took >= 0 ? { duration: durationOf(took) } : {}
    return { result: { completion: true, ...duration } }
  }
  if (occasion === 'answered' && visibility !== null && isReadable(visibility))
    return { result: { response: responseOf(value) } }
  if (occasion !== 'scored' || score === null || !prompt) return {}
  const { max_score: max } = prompt
  return { result: { score: { scaled: score, raw: toPoints(score, max), min: 0, max } } }
}
