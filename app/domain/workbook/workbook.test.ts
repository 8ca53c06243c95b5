import { readFile } from 'node:fs/promises'
import { strToU8, type Zippable, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { isWorkbook, readWorkbook } from './workbook.server.ts'

const LIMITS = { rows: 1000, characters: 1_000_000 }
const stored = async (name: string) =>
  new Uint8Array(await readFile(new URL(`../../../tests/support/workbooks/${name}`, import.meta.url)))
const read = (bytes: Uint8Array, limits = LIMITS) => readWorkbook(bytes, limits)
const DAMAGED = { problem: expect.stringContaining('The workbook is damaged.') }

/** The smallest workbook: these rows in its only sheet, and `more` files. */
function workbook(rows: string, more: Zippable = {}): Uint8Array {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/>`
  return zipSync({
    '_rels/.rels': strToU8(
      `<Relationships>${relation('r1', 'officeDocument', '/xl/workbook.xml')}</Relationships>`,
    ),
    'xl/workbook.xml': strToU8(
      '<x:workbook xmlns:x="x" xmlns:r="r"><x:sheets><x:sheet name="S" r:id="r1"/></x:sheets></x:workbook>',
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `<Relationships>${relation('r1', 'worksheet', 'worksheets/sheet1.xml')}${relation('r2', 'sharedStrings', 'sharedStrings.xml')}</Relationships>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    ...more,
  })
}
const text = (ref: string, words: string) => `<c r="${ref}" t="inlineStr"><is><t>${words}</t></is></c>`

describe('A workbook', () => {
  it('is read as its first visible sheet shows it, one line for each row', async () => {
    const bytes = await stored('several-sheets.xlsx')
    expect(isWorkbook(bytes)).toBe(true)
    const { text } = (await read(bytes)) as { text: string }
    expect(text.split('\n')).toEqual([
      '"E-mail","First name","Last name","Mobile phone","Job title","Time zone"',
      '"ana@workbook.example","Ana","García","+34600111222","Team lead","Europe/Madrid"',
      '"ben@workbook.example","Ben","van Berg",,"2026-03-01"',
      '',
      '"cara@workbook.example","Cara","7","34600111222","TRUE","Europe/Madrid"',
      '"dan@workbook.example","Dan ""the man""","O;=Neil",,"a b"',
      '"#DIV/0!","Eve"',
    ])
  })

  it('keeps the positions of rows and columns if some are left out', async () => {
    const rows = `<row r="1">${text('A1', 'email')}${text('C1', 'first_name')}</row><row r="4"><c r="C4"><v>1.5E2</v></c></row><row>${text('B5', 'next')}<c><v>0.1</v></c></row>`
    expect(await read(workbook(rows))).toEqual({
      text: '"email",,"first_name"\n\n\n,,"150"\n,"next","0.1"',
    })
  })

  it('keeps a cell in place next to an empty one if cells do not give their positions', async () => {
    const cell = (words: string) => `<c t="inlineStr"><is><t>${words}</t></is></c>`
    const rows = `<row>${cell('email')}${cell('phone')}${cell('name')}</row><row>${cell('a')}<c/>${cell('A')}</row>`
    expect(await read(workbook(rows))).toEqual({ text: '"email","phone","name"\n"a",,"A"' })
  })

  it('with text in the last column of many rows is read without its empty cells', async () => {
    const row = (_: unknown, at: number) => `<row r="${at + 1}">${text(`XFD${at + 1}`, 'x')}</row>`
    const bytes = workbook(Array.from({ length: 600 }, row).join(''))
    const sheet = (await read(bytes, { rows: 1000, characters: 10_000_000 })) as { text: string }
    expect(sheet.text.split('\n', 1)[0]).toBe(`${','.repeat(16_383)}"x"`)
  })

  it('is read with escaped characters, and without phonetic hints', async () => {
    const shared = '<sst><si><t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh></si></sst>'
    const rows = `<row>${text('A1', 'a_x0041_&amp;&#66;')}<c r="B1" t="s"><v>0</v></c></row>`
    expect(await read(workbook(rows, { 'xl/sharedStrings.xml': strToU8(shared) }))).toEqual({
      text: '"aA&B","東京"',
    })
  })

  it('with a formula that was never calculated has no result there, unless that is an empty text', async () => {
    const rows = `<row><c><f>A1</f><v></v></c><c t="str"><f>""</f><v></v></c><c><f>1+1</f><v>2</v></c><c/></row>`
    expect(await read(workbook(rows))).toEqual({ text: '"#N/A",,"2"' })
  })

  it('with cells merged over several rows is refused, and read if they are in one row', async () => {
    const merged = (range: string) =>
      workbook('', {
        'xl/worksheets/sheet1.xml': strToU8(
          `<worksheet><sheetData><row>${text('A1', 'x')}</row></sheetData><mergeCells><mergeCell ref="${range}"/></mergeCells></worksheet>`,
        ),
      })
    expect(await read(merged('A9:C10'))).toEqual({
      problem: expect.stringContaining('The cells A9:C10 are merged.'),
    })
    expect(await read(merged('A9:C9'))).toEqual({ text: '"x"' })
  })

  it('counts its days from 1900 or from 1904', async () => {
    const styles = strToU8('<styleSheet><cellXfs><xf numFmtId="22"/></cellXfs></styleSheet>')
    const rows = [46_082, 44_620.5, 0.5].map((days) => `<c s="0"><v>${days}</v></c>`).join('')
    const more = (date1904: string) => ({
      'xl/styles.xml': styles,
      'xl/workbook.xml': strToU8(
        `<workbook xmlns:r="r"><workbookPr date1904="${date1904}"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        ['worksheet" Target="worksheets/sheet1.xml', 'styles" Target="styles.xml']
          .map((to, at) => `<Relationship Id="r${at + 1}" Type="/${to}"/>`)
          .join('')
          .replace(/.*/, '<Relationships>$&</Relationships>'),
      ),
    })
    const dates = async (date1904: string) => read(workbook(`<row>${rows}</row>`, more(date1904)))
    expect(await dates('0')).toEqual({ text: '"2026-03-01","2022-02-28 12:00","12:00"' })
    expect(await dates('1')).toEqual({ text: '"2030-03-02","2026-03-01 12:00","12:00"' })
  })

  it.each([
    ['protected.xlsx', 'The workbook is protected by a password.'],
    ['older.xls', 'This is an old kind of workbook.'],
    ['other.ods', 'There is no workbook in this file.'],
    ['binary.xlsb', 'There is no workbook in this file.'],
  ])('of an unsupported kind is refused with an explanation: %s', async (name, words) => {
    const bytes = await stored(name)
    expect(isWorkbook(bytes)).toBe(true)
    expect(await read(bytes)).toEqual({ problem: expect.stringContaining(words) })
  })

  it('that is another kind of document is refused', async () => {
    const letter = { 'xl/workbook.xml': strToU8('<w:document xmlns:w="w"><w:body/></w:document>') }
    expect(await read(workbook('', letter))).toEqual({
      problem: expect.stringContaining('There is no workbook in this file.'),
    })
  })

  it('that is cut or damaged is refused, and a changed byte never changes what is read', async () => {
    const bytes = await stored('several-sheets.xlsx')
    const whole = await read(bytes)
    for (const end of [4, 100, bytes.length / 2, bytes.length - 1])
      expect(await read(bytes.slice(0, end))).toEqual(DAMAGED)
    for (let at = 4; at < bytes.length; at += 37) {
      const changed = bytes.slice()
      changed[at] = (changed[at] ?? 0) ^ 0x55
      const answer = await read(changed)
      expect([at, 'problem' in answer ? whole : answer]).toEqual([at, whole])
    }
    const rows = (one: string) => read(workbook(one))
    for (const wrong of [
      `<row r="2">${text('A2', 'x')}</row><row r="1">${text('A1', 'y')}</row>`,
      `<row r="1048577">${text('A1', 'x')}</row>`,
      `<row r="x">${text('A1', 'x')}</row>`,
      `<row>${text('ZZZ1', 'x')}</row>`,
      `<row>${text('A1', '&unknown;')}</row>`,
      '<row><c>',
    ])
      expect(await rows(wrong)).toEqual(DAMAGED)
    expect(await read(workbook('', { 'xl/worksheets/sheet1.xml': new Uint8Array([0xff, 0xfe]) }))).toEqual(
      DAMAGED,
    )
  })

  it('is refused if it has more rows or text than the limits', async () => {
    const many = Array.from({ length: 1002 }, (_, at) => `<row>${text(`A${at + 1}`, 'x')}</row>`)
    expect(await read(workbook(many.join('')))).toEqual({
      problem: 'The first sheet is too large: at most 1,000 rows and 1 MB of text are read.',
    })
    const long = `<row>${text('A1', 'x'.repeat(1_000_000))}</row>`
    expect(await read(workbook(long))).toEqual({ problem: expect.stringContaining('too large') })
    // One text that many cells share.
    const shared = strToU8(`<sst><si><t>${'x'.repeat(30_000)}</t></si></sst>`)
    const pointing = Array.from({ length: 500 }, () => '<row><c t="s"><v>0</v></c></row>').join('')
    expect(await read(workbook(pointing, { 'xl/sharedStrings.xml': shared }))).toEqual({
      problem: expect.stringContaining('too large'),
    })
  })

  it('that is a decompression bomb is refused, even if it lies about its size or uses entities', async () => {
    const bomb = strToU8(`<worksheet><sheetData>${' '.repeat(45_000_000)}</sheetData></worksheet>`)
    const bytes = workbook('', { 'xl/worksheets/sheet1.xml': bomb })
    expect(bytes.length).toBeLessThan(100_000)
    expect(await read(bytes)).toEqual({ problem: 'The workbook unpacks to more than can be read.' })
    // The same, but the archive's directory claims a harmless size.
    const size = Buffer.alloc(4)
    size.writeUInt32LE(bomb.length)
    const lying = Buffer.from(bytes)
    const at = lying.lastIndexOf(size)
    expect(at).toBeGreaterThan(0)
    lying.writeUInt32LE(1000, at)
    expect(await read(lying)).toEqual(DAMAGED)
    const entities =
      '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]><worksheet><sheetData><row><c t="str"><v>&b;</v></c></row></sheetData></worksheet>'
    expect(await read(workbook('', { 'xl/worksheets/sheet1.xml': strToU8(entities) }))).toEqual(DAMAGED)
  })
})
