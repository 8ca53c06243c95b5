import { describe, expect, it } from 'vitest'
import { WHOLE_FILE } from '#tests/support/whole-journey-file.ts'
import type { DocumentProblem } from './document.ts'
import { readDocument } from './document-reading.ts'

const LINES = WHOLE_FILE.split('\n')
const RAW =
  /expected one of|Invalid (option|input)|flow|implicit|mapping|scalar|ZodError|undefined|NaN|too (small|big)|expected|regex|\[object|token|indicator|null/i

/** The problems of a file, which the product has to state in its own words. */
function problemsOf(text: string): DocumentProblem[] {
  const { problems } = readDocument(text)
  const last = text.split(/\r\n?|\n/).length
  for (const { line, message } of problems) {
    expect(line, message).toBeGreaterThanOrEqual(1)
    expect(line, message).toBeLessThanOrEqual(last)
    expect(message).not.toMatch(RAW)
  }
  expect(problems.length, problems.map((one) => one.message).join('\n')).toBeLessThanOrEqual(10)
  return problems
}

const said = (text: string) => problemsOf(text).map(({ line, message }) => `${line} ${message}`)
/** The file with one line replaced. */
const withLine = (at: number, lines: readonly string[]) =>
  [...LINES.slice(0, at), ...lines, ...LINES.slice(at + 1)].join('\n')
const everyLine = (write: (line: string) => string[]) =>
  LINES.map((line, at) => problemsOf(withLine(at, write(line))))
/** Changes every fourth line, starting with another one in each turn. */
const someLines = (turn: number, write: (line: string) => string) => {
  for (const [at, line] of LINES.entries()) if (at % 4 === turn % 4) problemsOf(withLine(at, [write(line)]))
}

const VALUES = [
  '[1, 2]',
  '\n      - a',
  '{a: 1}',
  '\n        a: 1',
  '-7',
  '0',
  '1e999',
  '.nan',
  'true',
  '~',
  '""',
  '"',
  "'",
  '[',
  '{',
  ']',
  '@x',
  '%x',
  '&x 1',
  '*x',
  '!x 1',
  '!!int x',
  'a: b',
  '- a',
  '| x',
  '"\\q"',
  '"a" b',
  '\t1',
  '\0',
  '\ud800',
  '🎉',
  'e\u0301',
  'Wed, or so',
  'x'.repeat(60_000),
  '['.repeat(3000),
]

describe('A journey’s file that is broken', () => {
  it('starts from a file without problems', () => {
    expect(readDocument(WHOLE_FILE).problems).toEqual([])
  })

  it('is explained in at most ten plain messages if any line is missing', () => {
    const all = everyLine(() => [])
    expect(all.filter((problems) => problems.length > 0).length).toBeGreaterThan(60)
  })

  it('is explained plainly if any line is repeated', () => {
    everyLine((line) => [line, line])
  })

  it('is explained plainly wherever it is cut off', () => {
    for (let at = 0; at < WHOLE_FILE.length; at += 23) problemsOf(WHOLE_FILE.slice(0, at))
  })

  it('is explained plainly if lines are indented wrongly or lack their colons', () => {
    someLines(0, (line) => `  ${line}`)
    someLines(1, (line) => line.replace(/^ {2}/, ''))
    someLines(2, (line) => `\t${line.trimStart()}`)
    someLines(3, (line) => line.replaceAll(':', ''))
  })

  it.each(VALUES.map((value, turn) => [value.slice(0, 12), value, turn] as const))(
    'is explained plainly if values are %j',
    (_, value, turn) => {
      someLines(turn, (line) => line.replace(/(: |- )(?!.*(: |- )).*$/, `$1${value}`))
      someLines(turn + 1, (line) => line.replace(/^(\s*[\w-]+:)( .*)?$/, `$1 ${value}`))
    },
  )

  it('is explained plainly if other lines are inserted', () => {
    const between = ['---', '~~~', '~~~question', '~~~what', '# Lift:', '...', 'x', ':', '\0', '%YAML 9']
    for (const [turn, line] of between.entries()) someLines(turn, (own) => `${own}\n${line}`)
  })

  it('differs from a file with other line ends or a byte order mark, which has no problems', () => {
    expect(problemsOf(`\uFEFF${WHOLE_FILE.replaceAll('\n', '\r\n')}`)).toEqual([])
    expect(problemsOf(WHOLE_FILE.replaceAll('\n', '\r'))).toEqual([])
    expect(said(WHOLE_FILE.replaceAll('  ', '\t'))[0]).toContain('begins with a tab')
    expect(said([...WHOLE_FILE].join('\0'))).toHaveLength(1)
  })

  it('names a part without an end by the line where it begins, and nothing else', () => {
    const open = (mark: string, nth: number) => {
      const at = LINES.flatMap((line, index) => (line === mark ? [index] : []))[nth] ?? 0
      return said(withLine(at, []))
    }
    expect(open('---', 1)).toEqual([expect.stringMatching(/^1 .*have no end.*---/)])
    expect(open('---', 0)).toEqual([expect.stringMatching(/^1 .*above them/)])
    for (const [nth, line] of LINES.flatMap((one, at) => (/^~~~\w/.test(one) ? [at + 1] : [])).entries())
      expect(open('~~~', nth)).toEqual([expect.stringMatching(new RegExp(`^${line} .*has no end`))])
  })

  it.each([
    ['    channel: email', '   channel: email', 20, 'same column'],
    ['category: Leading', 'category Leading', 7, 'name, a colon and a space'],
    ['category: Leading', 'category: Leading: well', 7, 'second colon'],
    ['category: Leading', 'category: "Leading', 7, 'close it with "'],
    ['category: Leading', 'category: "Leading" well', 7, 'close it with "'],
    ['category: Leading', 'category: @work', 7, 'cannot begin with this sign'],
    ['category: Leading', 'category: Leading\nname: Again', 8, '“name” is here a second time'],
    ['  - Tue', '  - Someday', 14, 'send_days, entry 2: Please write one of these: Mon, Tue'],
    ['      days: 3', '      days: soon', 37, 'days: Please write a number here'],
    ['      days: 3', '      days: []', 37, 'days: Please write a number here'],
    ['objectives: [LO1, LO2]', 'objectives: [LO1, LO2', 127, 'close it with ]'],
    ['  value: 5', '  valeu: 5', 134, 'value: This setting is missing'],
    ['  value: 5', '  value: [5]', 134, 'value: Please give true, false or a number'],
    ['kind: number', 'kind: numbr', 131, 'one of these: single_choice'],
    ['kind: number\n', '', 130, 'kind: This setting is missing here. Please write one of these'],
    ['  weekday: Tue', '  weekday: Tue\n---', 73, 'Please remove it'],
    ['anonymous_min: 5', 'anonymous_min: 4.5', 43, 'whole number'],
    ['- id: a\n            text', '- id: A!\n            text', 56, 'small letters'],
    ['# Lift: Ask\n', '', 142, 'has its settings already'],
  ])('says what to do if %j is written as %j', (from, to, line, message) => {
    expect(WHOLE_FILE).toContain(from)
    expect(said(WHOLE_FILE.replace(from, to)).join('\n')).toContain(`${line} `)
    expect(said(WHOLE_FILE.replace(from, to)).find((one) => one.startsWith(`${line} `))).toContain(message)
  })

  it('is refused briefly, however long or deeply nested it is', () => {
    const front = (text: string) => said(`---\nliftwell: 1\nname: ${text}\n---\n`)
    for (const bracket of ['[', '[\n', '{', '{a: ', '[[]', '[{}\n'])
      expect(front(bracket.repeat(100_000))).toHaveLength(1)
    expect(front(`x\n${Array.from({ length: 20_000 }, (_, at) => `k${at}: 1\n`).join('')}`)[0]).toContain(
      'no setting',
    )
    expect(front(`x\n${'k: 1\n'.repeat(20_000)}`)).toHaveLength(1)
    const lifts = said(`---\nliftwell: 1\nname: x\n---\n${'# Lift: x\n'.repeat(100_000)}`)
    // Only errors in the first 200 lifts are listed.
    expect(lifts).toContain('205 A journey has at most 200 lifts.')
    expect(lifts[0]).toContain('10 and 194 more')
  })

  it('reports a problem of many lines once', () => {
    const lift = '\n# Lift: L\n\n~~~settings\nobjectives: [NO]\nschedule: { kind: manual }\n~~~\n'
    const [only, ...others] = said(`---\nliftwell: 1\nname: x\n---\n${lift.repeat(40)}`)
    expect(others).toEqual([])
    expect(only).toMatch(/^9 There is no objective “NO”.* The same in line 16, 23, 30, 37, 44 and 34 more\.$/)
    const many = readDocument(
      `---\nliftwell: 1\nname: x\n---\n${Array.from({ length: 99 }, (_, at) => `# Lift: ${at}`).join('\n')}`,
    ).problems
    expect(many).toHaveLength(51)
    expect(many.at(-1)?.message).toContain('49 more')
  })
})
