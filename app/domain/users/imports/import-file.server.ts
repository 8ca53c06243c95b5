import { invalid } from '#app/domain/errors.ts'
import { openTable } from '#app/domain/tables/read-table.server.ts'
import { UnreadableTable } from '#app/domain/tables/table.ts'
import { readTextFile } from '#app/domain/text/text-file.ts'
import { isWorkbook, readWorkbook } from '#app/domain/workbook/workbook.server.ts'
import { MAX_IMPORT_BYTES, PEOPLE_TABLE } from './import.ts'

const refused = (why: string) => invalid({ file: [why] })

const LIMITS = { rows: PEOPLE_TABLE.maxRows, characters: MAX_IMPORT_BYTES }

/** Decodes a file; of a workbook, its first sheet as CSV. Errors in the heading are reported immediately. */
export async function decode(bytes: Uint8Array): Promise<string> {
  if (bytes.length > MAX_IMPORT_BYTES) throw refused('The file is larger than 10 MB.')
  const read = isWorkbook(bytes) ? await readWorkbook(bytes, LIMITS) : readTextFile(bytes)
  if ('problem' in read) throw refused(read.problem)
  try {
    openTable(read.text, PEOPLE_TABLE)
  } catch (error) {
    throw error instanceof UnreadableTable ? refused(error.message) : error
  }
  return read.text
}
