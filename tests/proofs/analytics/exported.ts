/** Exported files, as CSV and Excel, compared row by row with the views under the same filters. */

import { isDeepStrictEqual } from 'node:util'
import { parse } from 'csv-parse/sync'
import type { Database } from '#app/domain/scope/scope.server.ts'
import { readWorkbook } from '#app/domain/workbook/workbook.server.ts'
import { makeExport } from '#app/jobs/make-export.server.ts'
import type { TenantsWorld } from '#tests/api/tenants/tenants-world.ts'
import { type Asker, asQuery } from './ask.ts'
import type { Filters, Turn } from './by-hand.ts'
import type { Chance } from './chance.ts'
import { minute, type Row, VIEWS } from './file-rows.ts'
import type { RawRows } from './raw-rows.ts'

type Reading = { who: 'adam' | 'aya' | 'nora'; sub: string | null; world: TenantsWorld; worker: Database }

/** The one thing a table is about, which random filters may leave out. */
function narrowed(table: string, filters: Filters, { luck, rows, turns }: Drawn): Filters | null {
  const turn = luck.one(turns)
  const { journey_id: journey, user_id: user, lift_id: lift } = turn ?? {}
  if (table === 'grid' && filters.journey === undefined) return journey ? { ...filters, journey } : null
  if (table === 'learner') return journey && user ? { ...filters, journey, user } : null
  if (table !== 'questions' && table !== 'answers') return filters
  const about = filters.lift ?? lift
  const isOfLift = rows.prompts.some((one) => one.lift_id === about && one.id === filters.prompt_id)
  const { prompt_id, ...others } = filters
  if (about === undefined) return null
  return { ...others, lift: about, ...(prompt_id !== undefined && isOfLift && { prompt_id }) }
}

type Drawn = { luck: Chance; rows: RawRows; turns: readonly Turn[] }

export async function askExports(asker: Asker, reading: Reading, filters: Filters, drawn: Drawn) {
  const found = { files: 0, rows: 0, differences: [] as string[] }
  for (const [table, view] of Object.entries(VIEWS)) {
    const asked = narrowed(table, filters, drawn)
    if (!asked) continue
    const query = asQuery(asked)
    const wanted = await view(asker, new URLSearchParams(query))
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

/** Whether the file's row has everything the view says. */
const has = (got: Row | undefined, wanted: Row): boolean =>
  isDeepStrictEqual(
    Object.fromEntries(Object.keys(wanted).map((name) => [name, plain(got?.[name] ?? '')])),
    wanted,
  )

/** CSV has times in ISO 8601. */
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
