/** Simulated answers to assessment forms while the clock moves. */
import { sql } from 'kysely'
import type { Phase, Rater } from '../assessments/assessment.ts'
import { readAssessment } from '../assessments/assessments.server.ts'
import { fillIn } from '../assessments/filling.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Answering } from './clock.ts'
import { asPerson, type Deed } from './deed.server.ts'
import { diceOf, type Fate, fateOf } from './fate.ts'
import { formAnswerOf } from './played-answers.ts'

const AT_ONCE = 200
/** People take longer to answer a form than a lift. */
const SLOWER = 4

type Waiting = {
  assessment_id: number
  phase: Phase
  rater: Rater
  about: number
  user_id: number
  email: string
  subject: string
  since: Date
}

export async function findFormsToFill(scope: Scope, answering: Answering): Promise<Deed[]> {
  const { rows } = await sql<Waiting>`
    select f.assessment_id, a.phase, f.rater, s.user_id as about, r.user_id, u.email::text as email,
      learner.email::text as subject, coalesce(f.opened_at, f.opens_at, f.created_on) as since
    from assessment_forms f join assessments a on a.id = f.assessment_id
      join members r on r.id = f.rater_id join users u on u.id = r.user_id
      join members s on s.id = f.subject_id join users learner on learner.id = s.user_id
    where f.state in ('open', 'in_progress') and (f.closes_at is null or f.closes_at > scope_now())
      and r.state <> 'withdrawn' and s.state <> 'withdrawn'
      and u.activation_status <> 'disabled' and u.accepted_terms_on is not null
    order by f.id limit ${AT_ONCE}`.execute(scope.db)
  const now = nowIn(scope).getTime()
  return rows.flatMap((form) => {
    const fate = fateOf(`${form.email}:${form.phase}:${form.rater}:${form.subject}`, answering)
    const isDue = fate.answers && form.since.getTime() + SLOWER * fate.after_ms <= now
    return isDue ? [(then: Scope) => fill(then, form, fate)] : []
  })
}

async function fill({ actor, db }: Scope, form: Waiting, { dice }: Fate): Promise<void> {
  const { assessment_id, phase, rater, about } = form
  const { items } = await readAssessment({ actor, db }, assessment_id)
  const answers = items.flatMap((item, nth) => {
    const value = formAnswerOf(item, phase, diceOf(`${dice}:${nth}`))
    return value === null ? [] : [{ item_id: item.id, value }]
  })
  await fillIn({ actor: asPerson(actor, form), db }, assessment_id, about, { answers, submit: true, rater })
}
