/** What each view answers, as rows of an exported file. */
import { type Asker, readAll, type Row as Shown } from './ask.ts'

export type Row = Record<string, string>

const COUNTS = {
  Due: 'assigned',
  Sent: 'accepted',
  Unconfirmed: 'unknown',
  'Held back': 'suppressed',
  Failed: 'failed',
  'Too late': 'expired',
  Waiting: 'pending',
  Delivered: 'delivered',
  Opened: 'opened',
  'Asking something': 'asked',
  Answered: 'responded',
  Completed: 'completed',
}
const SHARES = {
  Sent: 'coverage',
  Delivered: 'delivery',
  Opened: 'open',
  Answered: 'response',
  Completed: 'completion',
}
const OUTCOMES: Row = {
  unknown: 'Unconfirmed',
  suppressed: 'Held back',
  failed: 'Failed',
  expired: 'Too late',
}
const CELLS: Row = {
  ...{ completed: 'Completed', answered: 'Answered', opened: 'Opened', sent: 'Sent', waiting: 'Waiting' },
  ...{ unknown: 'Unconfirmed', not_sent: 'Not sent' },
}
const STATES: Row = {
  ...{ planned: 'Planned', held: 'On hold', due: 'Being sent', sent: 'Sent', opened: 'Opened' },
  ...{ responded: 'Answered in part', completed: 'Completed', expired: 'Closed unanswered' },
  suppressed: 'Not sent',
}
const HINDERED: Row = {
  unknown: 'Message unconfirmed',
  suppressed: 'Message held back',
  failed: 'Message failed',
  expired: 'Too late to send',
}
const stateOf = ({ state, delivery }: Shown) => {
  const hindered = HINDERED[delivery]
  if (hindered && state === 'due') return hindered
  return hindered && state === 'expired' ? `Closed unanswered: ${hindered.toLowerCase()}` : STATES[state]
}
const COMPARED = {
  'Learners themselves': ['self_change', 'before', 'after'],
  Sponsors: ['sponsor_change', 'before', 'after'],
  Before: ['gap_before', 'sponsors', 'learners'],
  After: ['gap_after', 'sponsors', 'learners'],
} as const

/** The same form for both kinds of file: figures to four places, times to the minute. */
const inFile = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const figure = (value: unknown) => inFile(typeof value === 'number' ? Number(value.toFixed(4)) : value)
const share = ({ n, d }: { n: number; d: number }) => (d === 0 ? '' : String(Number((n / d).toFixed(4))))
export const minute = (at: string | null) => (at === null ? '' : at.slice(0, 16).replace('T', ' '))

const figures = (row: Shown): Row => ({
  ...Object.fromEntries(Object.entries(COUNTS).map(([head, name]) => [head, inFile(row.counts[name])])),
  'Opened, of those delivered': inFile(row.open.n),
  ...Object.fromEntries(Object.entries(SHARES).map(([name, rate]) => [`${name}, share`, share(row[rate])])),
})

type View = (asker: Asker, query: URLSearchParams) => Promise<Row[]>

const overview: View = async (asker, query) => {
  const shown = await asker.call('GET', `/analytics/overview?${query}`)
  const line = (name: string, n: number, d: number | null): Row => ({
    ...{ Figure: name, Counted: inFile(n), 'Out of': inFile(d), Share: d === null ? '' : share({ n, d }) },
  })
  const all = shown.counts.assigned
  return [
    ...Object.entries(SHARES).map(([name, rate]) => line(name, shown[rate].n, shown[rate].d)),
    ...Object.entries(COUNTS).map(([head, name]) =>
      name === 'assigned' ? line(head, all, null) : line(`${head}, of all due`, shown.counts[name], all),
    ),
    ...[line('Learners', shown.learners, null), line('Lifts', shown.lifts, null)],
    line('Journeys', shown.journeys, null),
  ]
}

const by_user: View = async (asker, query) =>
  (await readAll(asker.call, `/analytics/by_user?${query}`)).rows.map((row) => ({
    Learner: row.name,
    'Learner number': inFile(row.user_id),
    ...figures(row),
    'Last activity (UTC)': minute(row.last_activity),
  }))

const by_lift: View = async (asker, query) =>
  (await readAll(asker.call, `/analytics/by_lift?${query}`)).rows.map((row) => ({
    ...{ Lift: row.title, 'Lift number': inFile(row.lift_id) },
    ...{ Journey: row.journey, 'Journey number': inFile(row.journey_id) },
    ...figures(row),
  }))

const explain: View = async (asker, query) =>
  (await readAll(asker.call, `/analytics/explain?${query}&figure=response&outcome=no`)).rows.map((row) => ({
    ...{ Learner: row.name, 'Learner number': inFile(row.user_id), Journey: row.journey },
    ...{ Lift: row.lift, 'Lift number': inFile(row.lift_id), Answered: 'No' },
    'Due (UTC)': minute(row.due_at),
    'Sent (UTC)': minute(row.sent_at),
    'Opened (UTC)': minute(row.opened_at),
    'Answered (UTC)': minute(row.answered_at),
    'Completed (UTC)': minute(row.completed_at),
  }))

const trend: View = async (asker, query) =>
  (await asker.call('GET', `/analytics/trend?${query}`)).weeks.map((one: Shown) => ({
    'Week of': one.week,
    ...figures(one),
  }))

const timing: View = async (asker, query) => {
  const { days, sent } = await asker.call('GET', `/analytics/timing?${query}`)
  return days.map(({ day, answered }: Shown) => ({
    ...{ 'Days since the message': inFile(day), Answers: inFile(answered) },
    ...{ 'Sent and asking something': inFile(sent), 'Share of all sent': share({ n: answered, d: sent }) },
  }))
}

const failures: View = async (asker, query) => {
  const { data, assigned } = await asker.call('GET', `/analytics/failures?${query}`)
  return data.map(({ reason, code, outcome, count }: Shown) => ({
    ...{ Reason: reason, Code: inFile(code), Outcome: OUTCOMES[outcome], Count: inFile(count) },
    ...{ 'Out of': inFile(assigned), 'Share of all due': share({ n: count, d: assigned }) },
  }))
}

/** A row has a column per lift, which the screen shows page by page. */
const grid: View = async (asker, query) => {
  const others = new URLSearchParams(query)
  others.delete('journey')
  const read = (page: number, across: number) =>
    asker.call(
      'GET',
      `/lljs/${query.get('journey')}/grid?${others}&per_page=200&page=${page}&lifts_page=${across}`,
    )
  const first = await read(1, 1)
  const rows = first.learners.map(
    ({ name, user_id }: Shown): Row => ({
      ...{ Learner: name, 'Learner number': inFile(user_id) },
    }),
  )
  let nth = 0
  for (let across = 1; across <= first.lifts_pagination.total_pages; across++) {
    const { lifts, learners } = await read(1, across)
    for (const [column, { title }] of lifts.entries()) {
      nth += 1
      for (const [row, { cells }] of learners.entries())
        rows[row][`${nth}. ${title}`] = cells[column] ? CELLS[cells[column]] : ''
    }
  }
  return rows
}

const learner: View = async (asker, query) => {
  const lift = query.get('lift') ?? query.get('lift_id')
  const asked = only(query, ['prompt_id', 'lo_id', 'from', 'to', 'as_of'])
  if (lift) asked.set('lift_id', lift)
  const path = `/lljs/${query.get('journey')}/learners/${query.get('user')}/responses?${asked}`
  const { rows } = await readAll(asker.call, path)
  return rows.flatMap((lift) => {
    const answers = lift.answers.length > 0 ? lift.answers : [null]
    return answers.map((answer: Shown) => ({
      ...{ Lift: lift.title, 'Lift number': inFile(lift.lift_id), State: stateOf(lift) },
      ...{ 'Due (UTC)': minute(lift.due_at), 'Opened (UTC)': minute(lift.opened_at) },
      ...{ 'Answered (UTC)': minute(lift.responded_at), 'Completed (UTC)': minute(lift.completed_at) },
      ...{
        Question: inFile(answer?.question),
        Points: inFile(answer?.points),
        Comment: inFile(answer?.comment),
      },
      'Out of': answer && answer.points !== null ? inFile(answer.max_score) : '',
      Answer: answer ? (answer.words ?? HIDDEN[answer.visibility]) : '',
    }))
  })
}
const only = (query: URLSearchParams, names: readonly string[]) =>
  new URLSearchParams([...query].filter(([name]) => names.includes(name)))
const HIDDEN: Row = {
  learner_only: '(only the learner can read it)',
  aggregate_only: '(only counted, together with others)',
}

const questions: View = async (asker, query) => {
  const whole = new URLSearchParams(query)
  whole.delete('prompt_id')
  const { prompts } = await asker.call('GET', `/analytics/by_lift?${whole}`)
  return prompts.flatMap((prompt: Shown) => {
    const options = prompt.options.length > 0 ? prompt.options : [null]
    return options.map((option: Shown) => ({
      ...{ Question: prompt.text, 'Question number': inFile(prompt.prompt_id) },
      ...{ Answered: inFile(prompt.response.n), Asked: inFile(prompt.response.d), Mean: figure(prompt.mean) },
      ...{ 'Mean points': figure(prompt.score?.mean), 'Answers counted below': inFile(prompt.counted) },
      ...{
        Answer: inFile(option?.text),
        Learners: inFile(option?.count),
        'Mean place': figure(option?.mean_rank),
      },
      'Share of answers': option ? share({ n: option.count, d: prompt.counted }) : '',
    }))
  })
}

const answers: View = async (asker, query) => {
  const asked = only(query, ['user', 'prompt_id', 'lo_id', 'from', 'to', 'as_of'])
  const path = `/lifts/${query.get('lift')}/responses?${asked}`
  return (await readAll(asker.call, path)).rows.map((row) => ({
    ...{
      Learner: row.name,
      'Learner number': inFile(row.user_id),
      Question: row.question,
      Answer: row.words,
    },
    ...{
      'In the figures': row.exclude_data ? 'No' : 'Yes',
      Points: inFile(row.points),
      Comment: row.comment,
    },
    'When (UTC)': minute(row.submitted_at),
  }))
}

const assessments: View = async (asker, query) => {
  const { rows } = await readAll(
    asker.call,
    `/analytics/assessments?${only(query, ['journey', 'lo_id', 'as_of'])}`,
  )
  return rows.map((row) => ({
    ...{ Objective: `${row.code} ${row.text}`, 'Objective number': inFile(row.objective_id) },
    ...{ Journey: row.journey, Learners: inFile(row.learners) },
    ...Object.fromEntries(
      Object.entries(COMPARED).flatMap(([what, [name, first, second]]) => {
        const { before, after, difference, low, high, d_z, counted } = row[name]
        const cells = { [first]: before, [second]: after, difference, d: d_z, n: counted }
        const interval = { '95% interval from': low, '95% interval to': high }
        return Object.entries({ ...cells, ...interval }).map(([head, value]) => [
          `${what}: ${head}`,
          figure(value),
        ])
      }),
    ),
  }))
}

export const VIEWS: Readonly<Record<string, View>> = {
  ...{ overview, by_user, by_lift, explain, trend, timing, failures, grid, learner, questions, answers },
  assessments,
}
