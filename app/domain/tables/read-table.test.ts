import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkRow } from './check-row.ts'
import { openTable } from './read-table.server.ts'
import { type TableShape, UnreadableTable } from './table.ts'

const SHAPE: TableShape<'email' | 'role' | 'first_name'> = {
  labels: { email: 'E-mail', role: 'Role', first_name: 'First name' },
  needed: ['email'],
  ignored: ['created_on'],
  maxRows: 10_000,
}

async function read(csv: string, shape = SHAPE) {
  const rows = []
  try {
    for await (const row of openTable(csv, shape).rows()) rows.push(row)
    return { rows, said: '' }
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error
    return { rows, said: `${error.line} ${error.message}` }
  }
}
const wide = Array.from({ length: 200 }, (_, at) => `c${at}`).join(',')

describe('An imported table', () => {
  it.each([
    ['email,role\na@b.example,learner\n'],
    ['\uFEFFE-Mail;Role\r\n\r\na@b.example;learner\r\n;;\r\n'],
    ['\n \t\nrole\temail\nlearner\ta@b.example\t\t\t'],
    [';;\nrole;email\nlearner;a@b.example'],
    ['"email" , "role"\n"a@b.example","learner"'],
    ['email,role,,,\na@b.example,learner,,,'],
    ['email|role\na@b.example|learner'],
    ['sep=;\r\nemail;role\r\na@b.example;learner'],
    ['\uFEFF"sep=|"\nemail|role\na@b.example|learner'],
    ['Role,created_on,e mail\nlearner,2026-01-01,a@b.example'],
  ])('is read in each common form of CSV: %j', async (csv) => {
    const { rows, said } = await read(csv)
    expect(said).toBe('')
    expect(rows.map((row) => row.cells)).toMatchObject([{ email: 'a@b.example', role: 'learner' }])
    expect(rows[0]?.problem).toBeUndefined()
  })

  it.each([
    ['1 There is nothing in this table.', '\n \n'],
    ['1 There is no row below the heading.', 'email\n\n'],
    ['1 The first line has to name the columns. The columns are: E-mail, Role', 'a@b.example\nc@d.example'],
    ['1 The first line has to name the columns.', `${wide}\nx`],
    ['1 There is no column “c0” (and 199 more that are not known).', `email,${wide}\nx`],
    [`1 There is no column “${'x'.repeat(59)}”.`, `email,${'x'.repeat(59)}😀\nx`],
    ['1 A column has no name.', 'email,,role\na@b.example'],
    ['1 The heading names “Role” twice. Please remove one', 'email,Role,role\na@b.example'],
    ['1 The heading has no column “E-mail”.', 'role\nlearner'],
    ['1 This row is too long.', `${'x'.repeat(30_000)}`],
  ])('is refused if its heading is wrong: %s', async (message, csv) => {
    const { rows, said } = await read(csv)
    expect(rows).toEqual([])
    expect(said).toContain(message)
  })

  it.each([
    ['3 A quote (") opens in this row', 'email,role\na@b.example,learner\n"x@y.example,learner\nz'],
    ['2 This row is too long.', `email,role\n${'x'.repeat(30_000)}`],
    ['10002 At most 10,000 rows can be imported.', `email\n${'a@b.example\n'.repeat(10_001)}`],
  ])('is refused from the line on that breaks it: %s', async (message, csv) => {
    expect((await read(csv)).said).toContain(message)
  })

  it('counts a line that only names the separator, which is not a row', async () => {
    const told = await read('SEP=;\nemail;role\na@b.example;learner\n')
    expect(told.rows.map((row) => row.line)).toEqual([3])
    expect((await read('sep=;\n')).said).toBe('1 There is nothing in this table.')
  })

  it.each([
    ['email,role\r\na@b.example,A\nc@d.example,C\r\ne@f.example,E\re@g.example,G'],
    ['email,role\na@b.example,A\r\nc@d.example,C\r\ne@f.example,E\ne@g.example,G'],
  ])('can end its lines in several ways: %j', async (csv) => {
    const { rows } = await read(csv)
    expect(rows.map(({ line, cells }) => [line, cells.role])).toEqual([
      [2, 'A'],
      [3, 'C'],
      [4, 'E'],
      [5, 'G'],
    ])
  })

  it('can have cells of several lines, which are read as one, and rows are named by their first line', async () => {
    const { rows, said } = await read('email,"\nrole"\na@b.example,"team \r\n lead"\nx@y.example,z\n"open')
    expect(rows).toMatchObject([
      { line: 3, cells: { role: 'team lead' } },
      { line: 5, cells: { role: 'z' } },
    ])
    expect(said).toContain('6 A quote (")')
  })

  it('skips columns without a name only if the import allows it', async () => {
    const { rows } = await read('email,,role\na@b.example,x,learner', { ...SHAPE, ignored: [''] })
    expect(rows[0]?.cells).toMatchObject({ email: 'a@b.example', role: 'learner' })
  })

  it('keeps quotes inside a word, and removes the quote that an export put before a formula', async () => {
    const { rows } = await read(`email,role,first_name\na"b@c.example,x"y,'=1+1`)
    expect(rows[0]?.cells).toEqual({ email: 'a"b@c.example', role: 'x"y', first_name: '=1+1' })
  })
})

describe('A row of an imported table', () => {
  const Row = z.object({
    email: z.email('Please enter a valid email'),
    role: z.enum(['learner'], 'Please write learner').default('learner'),
  })
  const check = async (csv: string, explain?: () => string) =>
    checkRow((await read(csv)).rows[0] ?? { line: 0, cells: {} }, Row, SHAPE, explain)

  it('gets the values and defaults of its schema', async () => {
    expect(await check('email\na@b.example')).toEqual({ said: { email: 'a@b.example', role: 'learner' } })
  })

  it('names each wrong cell by its column', async () => {
    expect((await check('email,role\nnobody,boss')).faults).toEqual([
      { field: 'email', error: 'E-mail: please enter a valid email' },
      { field: 'role', error: 'Role: please write learner' },
    ])
    expect((await check('email,role\n,learner')).faults).toEqual([
      { field: 'email', error: 'E-mail: this field is required' },
    ])
    expect((await check('email\nnobody', () => 'Write it so')).faults).toEqual([
      { field: 'email', error: 'E-mail: write it so' },
    ])
  })

  it('names each cell whose formula has no result', async () => {
    const { faults } = await check('email,role,first_name\n#N/A,learner,#REF!')
    expect(faults?.map(({ field }) => field)).toEqual(['email', 'first_name'])
    expect(faults?.[0]?.error).toContain('E-mail: this formula has no result.')
    expect((await check('email,first_name\na@b.example,#NULL')).faults).toBeUndefined()
  })

  it('with too many cells is refused only for their number', async () => {
    expect((await check('email\na@b.example,learner,x')).faults).toEqual([
      { field: 'row', error: 'This row has 3 columns, the heading 1' },
    ])
  })
})
