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
  return new Response(partsOf(database, scope.actor, made), { headers })
}

const nameOf = ({ kind, format, as_of }: Export): string =>
  `${kind.replaceAll('_', '-')}-${as_of.slice(0, 10)}.${format}`

/** Breaks off if the export is made again or deleted meanwhile: half a file would be taken for a whole one. */
function partsOf(database: Database, actor: Scope['actor'], made: Export): ReadableStream<Uint8Array> {
  let [nth, sent] = [0, 0]
  return new ReadableStream({
    async pull(controller) {
      const part = await inScope(database, actor, ({ db }) =>
        db
          .selectFrom('export_parts as p')
          .innerJoin('exports as e', 'e.id', 'p.export_id')
          .select('p.bytes')
          .where('e.id', '=', made.id)
          .where('e.finished_on', '=', new Date(made.finished_on ?? 0))
          .where('p.nth', '=', nth)
          .executeTakeFirst(),
      )
      nth += 1
      sent += part?.bytes.length ?? 0
      if (part) controller.enqueue(part.bytes)
      else if (sent === made.size) controller.close()
      else controller.error(new Error('The export was made again or deleted while it was read.'))
    },
  })
}
