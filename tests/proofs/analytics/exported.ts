/** Files that are taken away, as CSV and as Excel, row by row what the views answer for the same filters. */

import { isDeepStrictEqual } from 'node:util'
import { parse } from 'csv-parse/sync'
import type { Database } from '#app/domain/scope.server.ts'
import { readWorkbook } from '#app/domain/workbook/workbook.server.ts'
import { makeExport } from '#app/jobs/make-export.server.ts'
import type { TenantsWorld } from '#tests/api/tenants-world.ts'
import { type Asker, asQuery, readAll } from './ask.ts'
import type { Filters } from './by-hand.ts'

type Reading = { who: 'adam' | 'aya' | 'nora'; sub: string | null; world: TenantsWorld; worker: Database }
type Row = Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: what the API answered
type Shown = any

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

/** In both kinds of file, so that they are compared alike: shares to four places, times to the minute. */
const inFile = (value: unknown): string => (value === null || value === undefined ? '' : String(value))
const share = ({ n, d }: { n: number; d: number }) => (d === 0 ? '' : String(Number((n / d).toFixed(4))))
const minute = (at: string | null) => (at === null ? '' : at.slice(0, 16).replace('T', ' '))

const figures = (row: Shown): Row => ({
  ...Object.fromEntries(Object.entries(COUNTS).map(([head, name]) => [head, inFile(row.counts[name])])),
  'Opened, of those delivered': inFile(row.open.n),
  ...Object.fromEntries(Object.entries(SHARES).map(([name, rate]) => [`${name}, share`, share(row[rate])])),
})

/** What each view answers, as rows of a file. */
const VIEWS: Record<string, (asker: Asker, query: string) => Promise<Row[]>> = {
  overview: async (asker, query) => {
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
  },
  by_user: async (asker, query) =>
    (await readAll(asker.call, `/analytics/by_user?${query}`)).rows.map((row) => ({
      Learner: row.name,
      'Learner number': inFile(row.user_id),
      ...figures(row),
      'Last activity (UTC)': minute(row.last_activity),
    })),
  by_lift: async (asker, query) =>
    (await readAll(asker.call, `/analytics/by_lift?${query}`)).rows.map((row) => ({
      ...{ Lift: row.title, 'Lift number': inFile(row.lift_id) },
      ...{ Journey: row.journey, 'Journey number': inFile(row.journey_id) },
      ...figures(row),
    })),
  explain: async (asker, query) =>
    (await readAll(asker.call, `/analytics/explain?${query}&figure=response&outcome=no`)).rows.map((row) => ({
      ...{ Learner: row.name, 'Learner number': inFile(row.user_id), Journey: row.journey },
      ...{ Lift: row.lift, 'Lift number': inFile(row.lift_id), Answered: 'No' },
      'Due (UTC)': minute(row.due_at),
      'Sent (UTC)': minute(row.sent_at),
      'Opened (UTC)': minute(row.opened_at),
      'Answered (UTC)': minute(row.answered_at),
      'Completed (UTC)': minute(row.completed_at),
    })),
}

export async function askExports(asker: Asker, reading: Reading, filters: Filters) {
  const query = asQuery(filters)
  const found = { files: 0, rows: 0, differences: [] as string[] }
  for (const [table, view] of Object.entries(VIEWS)) {
    const wanted = await view(asker, query)
    for (const format of ['csv', 'xlsx'] as const) {
      const got = await take(reading, table, format, query)
      found.files += 1
      found.rows += got.length
      const wrong = wanted.findIndex((row, nth) => !has(got[nth], row))
      if (got.length !== wanted.length)
        found.differences.push(
          `${table} as ${format}, ${query}: ${got.length} instead of ${wanted.length} rows`,
        )
      else if (wrong >= 0)
        found.differences.push(
          `${table} as ${format}, ${query}: ${JSON.stringify(got[wrong])} instead of ${JSON.stringify(wanted[wrong])}`,
        )
    }
  }
  return found
}

/** What the view says of a row stands in the file. */
const has = (got: Row | undefined, wanted: Row): boolean =>
  isDeepStrictEqual(
    Object.fromEntries(Object.keys(wanted).map((name) => [name, plain(got?.[name] ?? '')])),
    wanted,
  )

/** CSV has times as ISO 8601 writes them. */
const plain = (cell: string) => (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(cell) ? minute(cell) : cell)

async function take({ who, sub, world, worker }: Reading, table: string, format: string, query: string) {
  const numbers = ['journey', 'user', 'lift', 'lift_id', 'prompt_id', 'lo_id']
  const filters = Object.fromEntries(
    [...new URLSearchParams(query)].map(([name, value]) => [
      name,
      numbers.includes(name) ? Number(value) : value,
    ]),
  )
  const body = { ...filters, table, format, ...(table === 'explain' ? { outcome: 'no' } : {}) }
  const begun = await world.call(who, 'POST', '/analytics/exports', body, { sub })
  if (begun.status !== 202) throw new Error(`${table}, ${query}: ${begun.status} ${begun.text}`)
  const payload = { tenant_id: world.acme, export_id: begun.json.id }
  await makeExport({ database: worker, origin: 'https://proof.example' }, payload)
  const file = await world.call(who, 'GET', `/exports/${begun.json.id}/file`, undefined, { sub })
  if (file.status !== 200) throw new Error(`${table}, ${query}: ${file.status} ${file.text}`)
  const options = { bom: true, columns: true, relax_column_count: true } as const
  if (format === 'csv') return parse(file.text, options) as Row[]
  const read = await readWorkbook(new Uint8Array(file.bytes), { rows: 200_000, characters: 100_000_000 })
  if ('problem' in read) throw new Error(read.problem)
  return parse(read.text, options) as Row[]
}
