import { mayViewDashboard } from '../access/permissions.ts'
import { readOwed } from '../assessments/own-forms.server.ts'
import { readLearningToday } from '../participants/learning.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { asParticipant, type Scope } from '../scope/scope.server.ts'
import { listUnanswered } from '../sending/unanswered.server.ts'
import { briefOf } from '../sponsors/brief.server.ts'
import { readLearners, tilesOf } from '../sponsors/learners.server.ts'
import { readTodaysFigures } from './figures.server.ts'
import { readLists } from './lists.server.ts'
import type { Today } from './today.ts'

export async function getToday(scope: Scope): Promise<Today> {
  if (!mayViewDashboard(scope.actor, 'author'))
    return { work: null, first_steps: null, ...(await asParticipant(scope, readOwn)) }
  const figures = await readTodaysFigures(scope)
  const { first_steps, takes_part, lists } = await readLists(scope)
  const { data: unanswered } = await listUnanswered(scope)
  const own = takes_part ? await asParticipant(scope, readOwn) : NOTHING_OWN
  return { work: { ...figures, ...lists, unanswered }, first_steps, ...own }
}

type Own = Pick<Today, 'learning' | 'sponsoring'>

const NOTHING_OWN: Own = {
  learning: { todo: [], journeys: [], owed: [], commitments: [] },
  sponsoring: { journeys: [], brief: [], total: 0 },
}

async function readOwn(own: Scope): Promise<Own> {
  const owed = await readOwed(own)
  const learning = await readLearningToday(own)
  const learners = await readLearners(own)
  const { data: brief, total } = briefOf(learners, owed, nowIn(own))
  return {
    learning: { ...learning, owed },
    sponsoring: { journeys: tilesOf(learners), brief, total },
  }
}
