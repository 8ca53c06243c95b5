import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listOwedForms } from '#app/api/contract/assessments.ts'
import { listTodo } from '#app/api/contract/learner.ts'
import { changeCommitment, listOwnCommitments } from '#app/api/contract/sponsors.ts'
import { CommitmentChange } from '#app/domain/lifts/commitment.ts'
import type { Todo } from '#app/domain/participants/learning.ts'
import { zoneHere } from '#app/domain/users/clock.ts'
import { readCurrentUser } from '#app/routes/current-user.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Link } from '#app/ui/link.tsx'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { OwedList } from '#app/ui/owed-list.tsx'
import { Page } from '#app/ui/page.tsx'
import { reason } from '../journeys/reason.server.ts'
import { CommitmentList, SettledCommitments } from './commitment-list.tsx'

export const meta: MetaFunction = () => [{ title: 'To do · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const [todo, { data: promised }, owed, user] = await Promise.all([
    api(listTodo),
    api(listOwnCommitments, { with_settled: true }),
    api(listOwedForms),
    readCurrentUser(args, visitor),
  ])
  const commitments = promised.filter(({ state }) => state === 'open')
  const settled = promised.filter(({ state }) => state !== 'open')
  return { todo, commitments, settled, owed, zone: zoneHere(user) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const change = CommitmentChange.safeParse({ state: formData.get('state') })
  if (!change.success) throw new Response('Not Found', { status: 404 })
  try {
    await api(changeCommitment, { id: String(formData.get('commitment')) }, change.data)
  } catch (error) {
    return redirectWithToast('/todo', { title: 'Not changed', message: await reason(error), variant: 'info' })
  }
  return redirect('/todo')
}

type Item = Todo['data'][number]

const COLUMNS: readonly Column<Item>[] = [
  {
    key: 'title',
    label: 'Lift',
    // Opening a lift is recorded, so the link is never prefetched.
    render: ({ lift_id, title }) => <Link to={`/lift/${lift_id}`}>{title}</Link>,
  },
  { key: 'journey', label: 'Journey', render: ({ journey }) => journey.name },
  { key: 'est_minutes', label: 'Takes', render: ({ est_minutes }) => `${est_minutes} min` },
  { key: 'due_at', label: 'Since', render: ({ due_at }) => <Day at={due_at} /> },
  {
    key: 'closes_at',
    label: 'Closes',
    render: ({ closes_at }) => (closes_at ? <Day at={closes_at} timed /> : null),
  },
  {
    key: 'is_started',
    label: 'State',
    render: ({ is_started, is_overdue }) => (
      <span className="badges">
        <Badge tone={is_started ? 'accent' : 'neutral'}>{is_started ? 'Opened' : 'New'}</Badge>
        {is_overdue ? <Badge tone="warning">Overdue</Badge> : null}
      </span>
    ),
  },
]

export default function TodoList() {
  const { todo, commitments, settled, owed, zone } = useLoaderData<typeof loader>()
  return (
    <Page title="To do" lead="Lifts and assessments to answer, and what you said you will do.">
      {commitments.length > 0 ? <CommitmentList commitments={commitments} /> : null}
      {owed.data.length > 0 ? (
        <section className="section" aria-labelledby="assessments">
          <h2 id="assessments">Assessments</h2>
          <OwedList items={owed.data} zone={zone} />
        </section>
      ) : null}
      {todo.data.length > 0 ? (
        <DataTable caption="Waiting lifts" columns={COLUMNS} rows={todo.data} rowKey="lift_id" />
      ) : owed.data.length + commitments.length > 0 ? null : (
        <Empty title="Nothing to do" hint="When a lift of one of your journeys is due, it appears here." />
      )}
      {settled.length > 0 ? <SettledCommitments commitments={settled} /> : null}
    </Page>
  )
}
