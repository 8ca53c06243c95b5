import { describe, expect, it } from 'vitest'
import { foresee } from './import-foresight.ts'
import { readTable } from './import-table.server.ts'

function read(csv: string) {
  const problems: { line: number; message: string }[] = []
  const rows = readTable(csv, problems)
  return { rows, said: problems.map(({ line, message }) => `${line} ${message}`) }
}
const wide = Array.from({ length: 200 }, (_, at) => `c${at}`).join(',')

describe('A table of participants', () => {
  it.each([
    ['email,role\na@b.example,learner\n'],
    ['\uFEFFE-Mail;Role\r\n\r\na@b.example;learner\r\n;;\r\n'],
    ['role\temail\nlearner\ta@b.example\t\t\t'],
    ['"email" , "role"\n"a@b.example","learner"'],
    ['email,role,,,\na@b.example,learner,,,'],
  ])('is read as it was saved: %j', (csv) => {
    const { rows, said } = read(csv)
    expect(said).toEqual([])
    expect(rows.map((row) => row.cells)).toEqual([{ email: 'a@b.example', role: 'learner' }])
  })

  it.each([
    ['\n \n', '1 There is nothing in this table.'],
    ['email\n\n', '1 There is no row below the heading.'],
    ['a@b.example\nc@d.example', '1 The first line has to name the columns. Known are: email, role'],
    [`${wide}\nx`, '1 The first line has to name the columns.'],
    [`email,${wide}\nx`, '1 There is no column "c0" (and 199 more that are not known).'],
    ['email,,role\na@b.example', '1 A column has no name.'],
    ['email,Role,role\na@b.example', '1 The heading names "role" twice. Please remove one'],
    ['role\nlearner', '1 The heading has no column "email".'],
    ['email,role\na@b.example,learner\n"x@y.example,learner\nz', '3 A quote (") begins in this row'],
    [`email,role\n${'x'.repeat(30_000)}`, '2 This row is too long.'],
    ['email\na@b.example,learner,x', '2 This row has 3 columns, the heading 1.'],
    [`email\n${'a@b.example\n'.repeat(10_001)}`, '10002 At most 10,000 rows are taken.'],
  ])('says in which line it is wrong, once: %j', (csv, message) => {
    const { said, rows } = read(csv)
    expect(rows).toEqual([])
    expect(said).toEqual([expect.stringContaining(message)])
  })

  it('takes quotes inside a word as they are', () => {
    expect(read('email,role\na"b@c.example,x"y').rows[0]?.cells).toEqual({
      email: 'a"b@c.example',
      role: 'x"y',
    })
  })
})

describe('What a row would do', () => {
  const lena = { role: 'learner', isGone: false, exclude_data: false, sponsor: 'Sam' }
  const nothing = { role: 'learner', sponsor: undefined, exclude_data: undefined }

  it('names each field that changes, from what to what', () => {
    expect(foresee({ ...nothing, sponsor: 'Ada', exclude_data: true }, [lena])).toEqual({
      outcome: 'changed',
      changes: [
        { field: 'sponsor', before: 'Sam', after: 'Ada' },
        { field: 'exclude_data', before: 'no', after: 'yes' },
      ],
    })
  })

  it('calls nothing changed what is so already', () => {
    for (const wanted of [nothing, { ...nothing, sponsor: 'Sam', exclude_data: false }])
      expect(foresee(wanted, [lena])).toEqual({ outcome: 'same', changes: [] })
  })

  it('tells a second role, a return and a first sponsor', () => {
    expect(foresee({ ...nothing, role: 'facilitator' }, [lena])).toEqual({
      outcome: 'added',
      changes: [{ field: 'role', before: 'learner', after: 'learner and facilitator' }],
    })
    expect(foresee(nothing, [{ ...lena, isGone: true }])).toEqual({ outcome: 'returns', changes: [] })
    expect(foresee({ ...nothing, sponsor: 'Sam' }, []).changes).toEqual([
      { field: 'sponsor', before: 'nobody', after: 'Sam' },
    ])
  })
})
