/** The first sheet of an Excel workbook (.xlsx) as comma-separated text, a line for each of its rows. */
import { posix } from 'node:path'
import { type Archive, damaged, openArchive, UnreadableWorkbook } from './archive.server.ts'
import { readSharedTexts } from './shared-texts.server.ts'
import { readSheet, type SheetLimits } from './sheet.server.ts'
import { readDateStyles } from './styles.server.ts'

/** Detected by the first bytes: a ZIP archive, or the container of old and of encrypted Excel files. */
export const isWorkbook = (bytes: Uint8Array): boolean => begins(bytes, ZIP) || begins(bytes, OLD_CONTAINER)

const ZIP = [0x50, 0x4b, 0x03, 0x04]
const OLD_CONTAINER = [0xd0, 0xcf, 0x11, 0xe0]
const begins = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, at) => bytes[at] === byte)

export async function readWorkbook(
  bytes: Uint8Array,
  limits: SheetLimits,
): Promise<{ text: string } | { problem: string }> {
  try {
    if (!begins(bytes, ZIP)) throw oldContainer(bytes)
    return { text: await readFirstSheet(await openArchive(bytes), limits) }
  } catch (error) {
    // Any other error of the libraries is about the content of the file.
    return { problem: error instanceof UnreadableWorkbook ? error.message : damaged().message }
  }
}

/** The name of the stream in the container of an encrypted workbook. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le')

const oldContainer = (bytes: Uint8Array) =>
  new UnreadableWorkbook(
    Buffer.from(bytes).includes(ENCRYPTED)
      ? 'The workbook is protected by a password. Save it without one and choose that file.'
      : 'This is an old kind of workbook. Save it as .xlsx and choose that file.',
  )

const noWorkbook = () =>
  new UnreadableWorkbook('There is no workbook in this file. Save it as .xlsx and choose that file.')

async function readFirstSheet(archive: Archive, limits: SheetLimits): Promise<string> {
  const [workbook] = await relationsOf(archive, '/', 'officeDocument')
  if (!workbook?.target.endsWith('.xml')) throw noWorkbook()
  const { sheets, is1904 } = await readContents(archive, workbook.target)
  if (sheets.length === 0) throw noWorkbook()
  const worksheets = await relationsOf(archive, workbook.target, 'worksheet')
  const first = sheets
    .map((id) => worksheets.find((sheet) => sheet.id === id))
    .find((sheet) => sheet !== undefined)
  if (!first) throw damaged()
  const [texts] = await relationsOf(archive, workbook.target, 'sharedStrings')
  const [styles] = await relationsOf(archive, workbook.target, 'styles')
  return readSheet(archive, first.target, limits, {
    texts: texts ? await readSharedTexts(archive, texts.target) : [],
    dateStyles: styles ? await readDateStyles(archive, styles.target) : new Set(),
    is1904,
  })
}

type Relation = { id: string; target: string }

/** The parts of one kind that a part refers to, as listed in its relationships part. */
async function relationsOf(archive: Archive, path: string, kind: string): Promise<Relation[]> {
  const folder = posix.dirname(path)
  const found: Relation[] = []
  await archive.read(posix.join(folder, '_rels', `${path === '/' ? '' : posix.basename(path)}.rels`), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name === 'Relationship' && Type.endsWith(`/${kind}`))
        found.push({ id: Id, target: posix.resolve(folder, Target) })
    },
  })
  return found
}

/** The relationships of the visible sheets in order, and the base year of dates. */
async function readContents(archive: Archive, path: string) {
  const sheets: string[] = []
  let is1904 = false
  const isThere = await archive.read(path, {
    open(name, attributes) {
      const { state, date1904 = '' } = attributes
      if (name === 'workbookPr') is1904 = /^(1|true)$/.test(date1904)
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1]
      if (name === 'sheet' && id && !state?.toLowerCase().includes('hidden')) sheets.push(id)
    },
  })
  if (!isThere) throw damaged()
  return { sheets, is1904 }
}
