/** Which styles of a workbook format numbers as dates: the cell itself does not tell. */
import type { Archive } from './archive.server.ts'

export async function readDateStyles(archive: Archive, path: string): Promise<Set<number>> {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let isCellStyle = false
  await archive.read(path, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode)
      if (name === 'cellXfs') isCellStyle = true
      if (name === 'xf' && isCellStyle) styles.push(Number(numFmtId))
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false
    },
  })
  return new Set(styles.flatMap((format, at) => (isDate(format, formats.get(format)) ? [at] : [])))
}

/** The built-in formats 14 to 22 and 45 to 47, and custom ones with a year, month, day, hour or second. */
const isDate = (format: number, code: string | undefined): boolean =>
  code === undefined
    ? (format >= 14 && format <= 22) || (format >= 45 && format <= 47)
    : /[ymdhs]/i.test(code.replace(/"[^"]*"|\\.|\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, ''))
