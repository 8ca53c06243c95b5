/**
 * The XML parts of a ZIP archive, each read as a stream with a size limit, so that a ZIP bomb cannot fill the memory.
 */
import { posix } from 'node:path'
import { crc32 } from 'node:zlib'
import sax from 'sax'
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl'

/** Why a workbook cannot be read, in words for the person who chose the file. */
export class UnreadableWorkbook extends Error {}

export const damaged = () =>
  new UnreadableWorkbook(
    'The workbook is damaged. Open it in your spreadsheet program, save it again and choose that file.',
  )
export const tooLarge = () => new UnreadableWorkbook('The workbook unpacks to more than can be read.')

const MAX_PARTS = 5_000
const MAX_PART_BYTES = 40_000_000

export type Visit = {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  text?(text: string): void
  close?(name: string): void
}

export type Archive = {
  /** Visits elements without namespace prefixes; false if there is no such part. */
  read(path: string, visit: Visit): Promise<boolean>
}

export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (zip.entryCount > MAX_PARTS) throw tooLarge()
  const parts = new Map<string, Entry>()
  for await (const part of zip.eachEntry()) parts.set(keyOf(part.fileName), part)
  return {
    async read(path, visit) {
      const part = parts.get(keyOf(path))
      if (part) await readXml(zip, part, visit)
      return part !== undefined
    },
  }
}

/** Part names are case-insensitive, and can be absolute or relative. */
const keyOf = (path: string): string => posix.join('/', path).toLowerCase()

/** The library aborts a stream that unpacks to more than its declared size. */
async function readXml(zip: ZipFile, part: Entry, visit: Visit): Promise<void> {
  if (part.uncompressedSize > MAX_PART_BYTES) throw tooLarge()
  const parser = sax.parser(true)
  parser.onerror = (error) => {
    throw error
  }
  parser.onopentag = ({ name, attributes }) => visit.open?.(plain(name), attributes as Record<string, string>)
  parser.ontext = (text) => visit.text?.(text)
  parser.oncdata = (text) => visit.text?.(text)
  parser.onclosetag = (name) => visit.close?.(plain(name))
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let sum = 0
  for await (const chunk of await zip.openReadStreamPromise(part)) {
    sum = crc32(chunk as Buffer, sum)
    parser.write(decoder.decode(chunk as Buffer, { stream: true }))
  }
  parser.write(decoder.decode()).close()
  if (sum !== part.crc32) throw damaged()
}

const plain = (name: string): string => name.slice(name.indexOf(':') + 1)
