/** The file of an export, stored in parts and read part by part. */
import { notFound } from '../errors.ts'
import { type Database, inScope, type Scope } from '../scope/scope.server.ts'
import type { Export } from './export.ts'
import { getExport } from './exports.server.ts'

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  json: 'application/json; charset=utf-8',
} as const

/** Holds only one part in memory at a time. */
export async function openExportFile(scope: Scope, database: Database, id: string): Promise<Response> {
  const made = await getExport(scope, id)
  const { format, status, size } = made
  if (status !== 'finished' || format === 'sent') throw notFound()
  const headers = {
    'content-type': TYPES[format],
    'content-length': String(size),
    'content-disposition': `attachment; filename="${nameOf(made)}"`,
    'cache-control': 'no-store',
  }
  return new Response(partsOf(database, scope.actor, id), { headers })
}

const nameOf = ({ kind, format, as_of }: Export): string =>
  `${kind.replaceAll('_', '-')}-${as_of.slice(0, 10)}.${format}`

function partsOf(database: Database, actor: Scope['actor'], id: string): ReadableStream<Uint8Array> {
  let nth = 0
  return new ReadableStream({
    async pull(controller) {
      const part = await inScope(database, actor, ({ db }) =>
        db
          .selectFrom('export_parts')
          .select('bytes')
          .where('export_id', '=', id)
          .where('nth', '=', nth)
          .executeTakeFirst(),
      )
      nth += 1
      if (part) controller.enqueue(part.bytes)
      else controller.close()
    },
  })
}
