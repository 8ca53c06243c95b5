/** What stands on the dashboard: each module's part is asked for only by whom the permission table shows it. */
import { listUnanswered } from '#app/api/contract/lifts.ts'
import { mayCreateJourney, mayViewDashboard } from '#app/domain/access/permissions.ts'
import { OwedForms } from '#app/domain/assessments/form.ts'
import { JourneyRow, type JourneyStatus } from '#app/domain/journeys/journey.ts'
import { pageOf } from '#app/domain/page.ts'
import { LearnerJourneys, Todo } from '#app/domain/participants/learning.ts'
import { SponsorBrief } from '#app/domain/sponsors/brief.ts'
import { SponsoredJourneys } from '#app/domain/sponsors/sponsored.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import type { Visitor } from '#app/routes/guards.server.ts'
import { comingFirst } from './coming.tsx'
import { UNDER_WAY } from './under-way-search.ts'

/** What stands here; the rest is one link away. */
const SHOWN = 5

/** Lifts and assessments that wait, and how far the person is with their own journeys. */
export async function readLearnerModule({ api, actor }: Visitor) {
  if (!mayViewDashboard(actor, 'learner')) return null
  const [todo, owed, journeys] = await Promise.all([
    api.get('/learner/todo', Todo),
    api.get('/learner/assessments', OwedForms),
    api.get('/learner/lljs', LearnerJourneys),
  ])
  return {
    todo: todo.data.slice(0, SHOWN),
    owed: owed.data.slice(0, SHOWN),
    waiting: todo.data.length + owed.data.length,
    journeys: comingFirst(journeys.data).slice(0, SHOWN),
  }
}

/** Journeys in which the person looks after learners. */
export async function readSponsorModule({ api }: Visitor) {
  const [journeys, brief] = await Promise.all([
    api.get('/sponsors_journeys', SponsoredJourneys),
    api.get('/sponsors_journeys/brief', SponsorBrief),
  ])
  return { journeys: journeys.data.slice(0, SHOWN), brief: brief.data.slice(0, SHOWN), total: brief.total }
}

/** Journeys that run: authors' own, and all of the company's for whoever sees the whole dashboard. */
export async function readAuthorModule({ api, actor }: Visitor, user: CurrentUser) {
  if (!mayViewDashboard(actor, 'author')) return null
  const list = (status: readonly JourneyStatus[], order: object) =>
    api.get('/lljs', pageOf(JourneyRow), { status: [...status], per_page: SHOWN, ...order })
  const sees_all = mayViewDashboard(actor, 'all')
  const [unanswered, running, drafts] = await Promise.all([
    api(listUnanswered),
    list(UNDER_WAY, { order_by: 'status', order: 'asc' }),
    sees_all ? null : list(['draft'], { order_by: 'date' }),
  ])
  return {
    unanswered: unanswered.data,
    running: running.data.map(toTile),
    running_total: running.pagination.total,
    drafts: drafts?.data.map(toTile) ?? [],
    drafts_total: drafts?.pagination.total ?? 0,
    may_create: mayCreateJourney(actor, user),
  }
}

const toTile = ({ id, name, status, lifts, learners }: JourneyRow) => ({
  id,
  name,
  status,
  lifts,
  learners,
})
