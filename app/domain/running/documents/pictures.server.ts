/** Exports the pictures of a journey with its file, so that another installation can import them. */
import { Refusal } from '#app/domain/errors.ts'
import { getFile } from '#app/domain/files/files.server.ts'
import { recognize } from '#app/domain/files/signatures.ts'
import type { FileStore } from '#app/domain/files/store.ts'
import { uploadFile } from '#app/domain/files/uploads.server.ts'
import { problemsOfFiles } from '#app/domain/lifts/block-files.server.ts'
import type { Block } from '#app/domain/lifts/blocks.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { JourneyDocument } from './document.ts'

type Pictures = JourneyDocument['pictures']

/** The type of all stored pictures. */
const TYPE = 'image/webp'
/** Pictures beyond this total are left out, as the file would be too long to import. */
const MAX_PICTURE_CHARACTERS = 6_000_000

const imagesOf = ({ lifts }: JourneyDocument) =>
  lifts.flatMap(({ blocks }) => blocks.filter((block) => block.kind === 'image'))

export async function takeAlong(
  scope: Scope,
  document: JourneyDocument,
  store: FileStore | null,
): Promise<Map<string, string>> {
  const taken = new Map<string, string>()
  let room = MAX_PICTURE_CHARACTERS
  for (const src of new Set(imagesOf(document).map((image) => image.src))) {
    const [, , tenantId = '', id = ''] = src.split('/')
    const file = await getFile(scope, tenantId, id, { start: 0 }, store).catch(orGone)
    const data = file?.bytes.toString('base64')
    if (!data || data.length > room) continue
    taken.set(src, data)
    room -= data.length
  }
  return taken
}

function orGone(error: unknown): null {
  if (error instanceof Refusal && error.status === 404) return null
  throw error
}

/** Whether the file contains the picture of a block. */
export const isAlong = (block: Block | undefined, pictures: Pictures): boolean =>
  block?.kind === 'image' && recognize(bytesOf(pictures?.get(block.src)), TYPE) !== null

/** Uploads pictures that do not exist here yet, and makes the blocks refer to them. */
export async function bringPictures(
  scope: Scope,
  document: JourneyDocument,
  store: FileStore | null,
): Promise<JourneyDocument> {
  const { lifts, pictures } = document
  const images = imagesOf(document)
  const missing = await problemsOfFiles(scope, images)
  const brought = new Map<string, string>()
  for (const src of new Set(missing.flatMap(({ at }) => images[at]?.src ?? []))) {
    const given = { bytes: bytesOf(pictures?.get(src)), type: TYPE, name: 'picture' }
    brought.set(src, (await uploadFile(scope, given, store)).src)
  }
  const shown = (block: Block): Block =>
    block.kind === 'image' ? { ...block, src: brought.get(block.src) ?? block.src } : block
  return { ...document, lifts: lifts.map((lift) => ({ ...lift, blocks: lift.blocks.map(shown) })) }
}

const bytesOf = (data = ''): Buffer => Buffer.from(data, 'base64')
