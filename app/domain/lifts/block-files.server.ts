/** Checks that the files of a page's blocks exist, and are of a type that the block can show. */
import { z } from 'zod'
import { invalid } from '../errors.ts'
import { whyUnfit } from '../files/upload.ts'
import type { Scope } from '../scope/scope.server.ts'
import type { Block } from './blocks.ts'

type Named = { at: number; field: 'src' | 'captions'; src: string; part: string }
export type FileProblem = Pick<Named, 'at' | 'field'> & { why: string }

const named = (blocks: readonly Block[]): Named[] =>
  blocks.flatMap((block, at): Named[] => [
    ...('src' in block ? [{ at, field: 'src' as const, src: block.src, part: block.kind }] : []),
    ...('captions' in block && block.captions
      ? [{ at, field: 'captions' as const, src: block.captions, part: 'captions' }]
      : []),
  ])

/** A file is named by its path; one of another company, or a deleted one, counts as missing. */
export async function problemsOfFiles(
  { actor, db }: Scope,
  blocks: readonly Block[],
): Promise<FileProblem[]> {
  const files = named(blocks)
  const prefix = `/files/${actor.tenant_id}/`
  const ids = files
    .filter(({ src }) => src.startsWith(prefix))
    .flatMap(({ src }) => z.uuid().safeParse(src.slice(prefix.length)).data ?? [])
  const rows =
    ids.length > 0
      ? await db.selectFrom('files').select(['id', 'content_type']).where('id', 'in', ids).execute()
      : []
  const types = new Map(rows.map(({ id, content_type }) => [`${prefix}${id}`, content_type]))
  return files.flatMap(({ at, field, src, part }) => {
    const type = types.get(src)
    const why = type === undefined ? `There is no file ${src} here; upload it first.` : whyUnfit(part, type)
    return why === null ? [] : [{ at, field, why }]
  })
}

/** Checks only new blocks: existing ones must not get in the way of other changes. */
export async function requireFittingFiles(
  scope: Scope,
  blocks: readonly Block[] = [],
  before: readonly Block[] = [],
): Promise<void> {
  const known = new Set(before.map((block) => JSON.stringify(block)))
  const problems = (await problemsOfFiles(scope, blocks)).filter(
    ({ at }) => !known.has(JSON.stringify(blocks[at])),
  )
  if (problems.length > 0)
    throw invalid(Object.fromEntries(problems.map(({ at, field, why }) => [`blocks.${at}.${field}`, [why]])))
}
