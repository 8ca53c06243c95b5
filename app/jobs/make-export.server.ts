/** Makes an export file or sends statements. A file reads one snapshot; when retried, it starts over. */
import { z } from 'zod'
import { Refusal } from '#app/domain/errors.ts'
import { MAX_ROWS } from '#app/domain/exports/export.ts'
import {
  type Begun,
  beginExport,
  endExport,
  keepProgress,
  putOff,
} from '#app/domain/exports/making.server.ts'
import { openTable } from '#app/domain/exports/tables/open-table.server.ts'
import { bytesOf } from '#app/domain/exports/writing.server.ts'
import { inScope, inSnapshot, type Scope, systemActor } from '#app/domain/scope/scope.server.ts'
import { countOccasions, statementPages } from '#app/domain/statements/statements.server.ts'
import { figures } from '#app/domain/text/figures.ts'
import { RecordStoreError } from '#app/integrations/stores/record-store.ts'
import type { JobContext } from './context.ts'

const Payload = z.object({
  tenant_id: z.uuid(),
  export_id: z.uuid(),
  has_given_up: z.boolean().optional(),
})

/** Large enough for a small file to have one part. */
const PART_BYTES = 256_000

type Context = Pick<JobContext, 'database' | 'replica' | 'origin' | 'recordStore' | 'isLastTry'>

export async function makeExport(context: Context, payload: unknown): Promise<void> {
  const { tenant_id, export_id, has_given_up } = Payload.parse(payload)
  const within: Within = (work) => inScope(context.database, systemActor(tenant_id), work)
  const begun = await within((scope) => beginExport(scope, export_id))
  if (!begun) return
  if (has_given_up) return within((scope) => endExport(scope, begun, { problem: explain(null) }))
  try {
    const note = await (begun.format === 'sent' ? send(context, begun) : write(context, begun))
    await within((scope) => endExport(scope, begun, { note }))
  } catch (error) {
    if (!(error instanceof Superseded)) await settleFailure(context, begun, error, within)
  }
}

type Within = <Result>(work: (scope: Scope) => Promise<Result>) => Promise<Result>

/** Retries a temporary failure of the record store later, leaves unexpected errors to the queue, and reports the end. */
async function settleFailure({ isLastTry }: Context, begun: Begun, error: unknown, within: Within) {
  const run_at = error instanceof RecordStoreError && error.isPassing ? nextTry(begun) : null
  if (run_at) return within((scope) => putOff(scope, begun, { problem: explain(error), run_at }))
  const isForeseen = error instanceof RecordStoreError || error instanceof Refusal
  if (!isForeseen && !isLastTry) throw error
  await within((scope) => endExport(scope, begun, { problem: explain(error) }))
  if (!isForeseen) throw error
}

/** Another run has started the export over. */
class Superseded extends Error {}

function explain(error: unknown): string {
  if (error instanceof RecordStoreError) return error.message
  if (!(error instanceof Refusal)) return 'Something went wrong while it was made. Please try again later.'
  return error.status === 413
    ? error.message
    : 'What it is about no longer exists, or you do not have access to it.'
}

const WAITS_MINUTES = [1, 5, 15, 60, 180]

const nextTry = ({ attempts }: Begun): Date | null => {
  const minutes = WAITS_MINUTES[attempts - 1]
  return minutes === undefined ? null : new Date(Date.now() + minutes * 60_000)
}

async function write({ database, replica, origin }: Context, begun: Begun): Promise<null> {
  let rows_done = 0
  // The snapshot must not predate the start, or people erased before it would be in the file. After a failure the
  // primary is read, not the replica.
  const source = (begun.attempts === 1 && (await replica?.caughtUp())) || database
  await inSnapshot(source, begun.actor, async (scope) => {
    const keep = keeperOf(database, begun)
    const { rows_total, pieces } = await openPieces(scope, origin, begun, (more = 1) => {
      rows_done += more
    })
    if (rows_total > MAX_ROWS)
      throw new Refusal(
        413,
        `That’s more than ${figures(MAX_ROWS)} rows. Please narrow it down with the filters.`,
      )
    await keep({ rows_total, rows_done })
    let nth = 0
    let part: Uint8Array[] = []
    let size = 0
    const flush = async () => {
      if (size === 0) return
      await keep({ rows_done }, { nth, bytes: Buffer.concat(part) })
      nth += 1
      part = []
      size = 0
    }
    for await (const piece of pieces) {
      part.push(piece)
      size += piece.length
      if (size >= PART_BYTES) await flush()
    }
    await flush()
  })
  return null
}

type Kept = Parameters<typeof keepProgress>

/** Writes in separate transactions, so that progress is visible. */
const keeperOf = (database: Context['database'], begun: Begun) => {
  const actor = systemActor(begun.actor.tenant_id)
  return async (progress: Kept[2], part?: Kept[3]) => {
    const isMine = await inScope(database, actor, (scope) => keepProgress(scope, begun, progress, part))
    if (!isMine) throw new Superseded()
  }
}

type Counting = (more?: number) => void

/** Larger than for statements, because a file is one snapshot anyway and starts over if somebody is erased meanwhile. */
const READ_FOR_A_FILE = 1000

async function openPieces(scope: Scope, origin: string, { kind, format, query }: Begun, count: Counting) {
  if (kind !== 'statements') {
    const table = await openTable(scope, kind, query)
    return { rows_total: table.total, pieces: bytesOf(format === 'csv' ? 'csv' : 'xlsx', table, count) }
  }
  const asked = askedOf(origin, query)
  return {
    rows_total: await countOccasions(scope, asked),
    pieces: asJson(
      statementPages((work) => work(scope), asked, READ_FOR_A_FILE),
      count,
    ),
  }
}

const askedOf = (origin: string, query: Begun['query']) => ({
  origin,
  journey: Number(query.journey),
  with_addresses: query.with_addresses === true,
  as_of: new Date(query.as_of),
})

/** The statements as one JSON array, as a record store takes them. */
async function* asJson(pages: ReturnType<typeof statementPages>, count: Counting) {
  const encoder = new TextEncoder()
  let before = '[\n'
  for await (const page of pages) {
    for (const statement of page) {
      yield encoder.encode(`${before}${JSON.stringify(statement)}`)
      before = ',\n'
    }
    count(page.length)
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n')
}

/** Reads each page only when it is sent, so that people erased meanwhile are not in it. May return a note to show. */
async function send({ database, origin, recordStore }: Context, begun: Begun): Promise<string | null> {
  if (!recordStore) throw new RecordStoreError('No learning record store is set up.', { isPassing: false })
  const keep = keeperOf(database, begun)
  const asked = askedOf(origin, begun.query)
  const read = <Result>(work: (scope: Scope) => Promise<Result>) => inScope(database, begun.actor, work)
  const rows_total = await read((scope) => countOccasions(scope, asked))
  let rows_done = 0
  let held = 0
  await keep({ rows_total, rows_done })
  for await (const page of statementPages(read, asked)) {
    const { conflicts } = await recordStore.send(page)
    held += conflicts
    rows_done += page.length
    await keep({ rows_done })
  }
  return held === 0
    ? null
    : `The store holds ${held} of them with other content, and left these as they were.`
}
