/** A template for imports: the headings, and an example row. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { toCsv } from '#app/domain/text/csv.ts'
import { IMPORT_LABELS, IMPORT_TEMPLATE, type ImportColumn } from '#app/domain/users/imports/import.ts'
import { requirePeople } from './guard.server.ts'

const COLUMNS = Object.keys(IMPORT_TEMPLATE) as ImportColumn[]
const HEADINGS = COLUMNS.map((column) => IMPORT_LABELS[column])
const EXAMPLE = COLUMNS.map((column) => IMPORT_TEMPLATE[column] ?? '')

export async function loader(args: LoaderFunctionArgs) {
  await requirePeople(args, 'users:create')
  const isExcel = new URL(args.request.url).searchParams.get('format') === 'xlsx'
  return isExcel
    ? asFile(new Uint8Array(await toWorkbook()), 'people-template.xlsx', XLSX)
    : asFile(toCsv([HEADINGS, EXAMPLE]), 'people-template.csv', 'text/csv; charset=utf-8')
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const asFile = (body: BodyInit, name: string, type: string): Response =>
  new Response(body, {
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  })

/** As text cells, because Excel would read a phone number as a number and drop its +. */
async function toWorkbook(): Promise<Buffer> {
  const { default: writeWorkbook } = await import('write-excel-file/node')
  const bold = HEADINGS.map((value) => ({ value, type: String, fontWeight: 'bold' as const }))
  const example = EXAMPLE.map((value) => ({ value, type: String, format: '@' }))
  const columns = COLUMNS.map(() => ({ width: 20 }))
  return writeWorkbook([bold, example], { columns, sheet: 'People', stickyRowsCount: 1 }).toBuffer()
}
