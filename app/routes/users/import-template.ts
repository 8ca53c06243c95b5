/** A file to begin an import with: the headings, and a row as an example. */
import type { LoaderFunctionArgs } from '@remix-run/node'
import { toCsv } from '#app/domain/csv.ts'
import { IMPORT_LABELS, IMPORT_TEMPLATE, type ImportColumn } from '#app/domain/users/import.ts'
import { requirePeople } from './guard.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  await requirePeople(args, 'users:create')
  const columns = Object.keys(IMPORT_TEMPLATE) as ImportColumn[]
  const headings = columns.map((column) => IMPORT_LABELS[column])
  return new Response(toCsv([headings, columns.map((column) => IMPORT_TEMPLATE[column])]), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="people-template.csv"',
    },
  })
}
