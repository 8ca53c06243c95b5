import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyHead, anyLift } from '#tests/support/any-journey-file.ts'
import type { JourneyDocument } from './document.ts'
import { readDocument } from './document-reading.ts'
import { writeDocument } from './document-writing.ts'
import { lintDocument } from './lint.ts'

/** Without empty and null settings, which mean the same default as missing ones. */
const settled = ({ head: settings, lifts }: JourneyDocument) => ({
  head: Object.fromEntries(
    Object.entries(settings).filter(([, value]) => value !== null && value !== '' && String(value) !== ''),
  ),
  lifts,
})

describe('A journey as a file', () => {
  it('is read back exactly as it was written, whatever it contains', () => {
    fc.assert(
      fc.property(anyHead, fc.array(anyLift, { maxLength: 3 }), fc.boolean(), (settings, some, waits) => {
        const after = { kind: 'after_lift', lift: 1, min_hours: 8760 } as const
        const lifts = some.map((one, index) => (waits && index > 0 ? { ...one, schedule: after } : one))
        const document = { head: settings, lifts }
        const { document: back, problems } = readDocument(writeDocument(document))
        expect(problems).toEqual([])
        expect(back && settled(back)).toEqual(settled(document))
      }),
      { numRuns: 300 },
    )
  })

  it('is refused wherever it is cut off', () => {
    const part = 'Some text that goes on.\n\n~~~question\nkind: long_text\ntext: And then?\n~~~\n'
    const { document } = readDocument(`${FILE}${part}`)
    const whole = document ? writeDocument(document) : ''
    expect(readDocument(whole).problems).toEqual([])
    for (let at = 0; at < whole.trimEnd().length; at++)
      expect(readDocument(whole.slice(0, at)).document, whole.slice(0, at)).toBeNull()
    const cut = whole.slice(0, whole.indexOf(' that goes on'))
    const [problem, ...others] = readDocument(cut).problems
    expect(others).toEqual([])
    expect(problem?.line).toBe(cut.split('\n').length)
    expect(problem?.message).toContain('The file is cut off here')
    expect(readDocument(`${whole}\n${part}`).problems[0]?.message).toContain('More comes below ~~~end')
  })

  const FILE = `---
liftwell: 1
name: Better talks
objectives:
  - code: LO1
    text: Listens first
---

# Lift: Listen

~~~settings
sms_text: "Hi {{first_name}}: {{link}}"
schedule:
  kind: weekly
  week: 1
  weekday: Tue
~~~

Some text.

~~~image
src: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f01
alt: Two people at a table
~~~

~~~question
kind: single_choice
text: What comes first?
objectives: [LO1]
options:
  - id: a
    text: Listening
  - id: b
    text: Talking
~~~
`

  it('gets defaults for settings that are left out', () => {
    const { document, problems } = readDocument(FILE.replaceAll('\n', '\r\n'))
    expect(problems).toEqual([])
    expect(document?.lifts[0]).toMatchObject({
      title: 'Listen',
      est_minutes: 3,
      blocks: [{ kind: 'text' }, { kind: 'image' }],
    })
    expect(document && lintDocument(document, readDocument(FILE).places)).toEqual([])
  })

  it.each([
    ['liftwell: 1\n', '', 1, 'liftwell: 1'],
    ['name: Better talks', 'name: ""', 3, 'This field is required'],
    ['name: Better talks', 'name: 2028', 3, 'name: Please put this value in quotes'],
    ['name: Better talks', 'name: [a]', 3, 'A list or more settings'],
    ['name: Better talks\n', '', 1, 'name: This setting is missing'],
    ['# Lift: Listen', '# Lift:', 9, 'title: This field is required'],
    ['name: Better talks', 'nam: Better', 3, 'no setting “nam”'],
    ['name: Better talks', 'name: *x', 3, 'aliases'],
    ['name: Better talks', 'name: [', 3, 'close it with ]'],
    ['    text: Listens first', '    texts: Listens first', 6, 'no setting “texts”'],
    ['---\n\n# Lift', '\n\n# Lift', 1, 'have no end'],
    ['# Lift: Listen\n', '', 10, 'before the first lift'],
    ['# Lift: Listen', `# Lift: ${'x'.repeat(81)}`, 9, 'at most 80 characters'],
    ['weekday: Tue', 'weekday: Someday', 16, 'weekday: Please write one of these: Mon'],
    ['  kind: weekly', '  kind: yearly', 14, 'kind: Please write one of these: absolute'],
    ['~~~settings', '~~~setting', 11, 'no part "~~~setting"'],
    ['kind: single_choice', 'kind: riddle', 27, 'kind'],
    ['alt: Two people at a table\n', '', 21, 'alt'],
    [
      'src: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f01',
      'src: https://elsewhere.example/x.png',
      22,
      'choose a file',
    ],
    ['objectives: [LO1]', 'objectives: [LO2]', 26, 'no objective “LO2”'],
    [
      'text: Listens first',
      'text: Listens first\n  - code: lo1\n    text: Speaks last',
      7,
      'Two objectives have the code “lo1”.',
    ],
    ['  - id: b\n    text: Talking\n', '', 31, 'at least two answers'],
    ['~~~question', '~~~question\n~~~', 26, 'name: value'],
    ['alt: Two people at a table', 'alt: ""', 23, 'alt'],
    ['  week: 1', '  week: 105', 15, 'week: Please write a number of at most 104'],
    ['    text: Talking', `    text: ${'x'.repeat(201)}`, 34, 'at most 200 characters'],
    ['  - id: b', '  - id: a', 31, 'same id'],
    ['kind: single_choice', 'kind: single_choice\nscoring: auto', 32, 'mark the right answer'],
    [
      'kind: weekly\n  week: 1\n  weekday: Tue',
      'kind: after_lift\n  lift: 1\n  min_hours: 2',
      15,
      'does not come before it',
    ],
    [
      '~~~image\nsrc: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f01\nalt:',
      '~~~video\nsrc: /files/0b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f0f/1b8f1f6e-5f0e-4b0a-9a51-0f0f0f0f0f01\ntitle:',
      21,
      'transcript, or captions',
    ],
  ])('names the line if %j is replaced by %j', (from, to, line, message) => {
    const { document, problems } = readDocument(FILE.replace(from, to))
    expect(document).toBeNull()
    expect(problems.filter((one) => one.message.includes(message)).map((one) => one.line)).toContain(line)
  })

  it('is refused if it has YAML aliases or no content', () => {
    const bomb = FILE.replace('name: Better talks', 'name: &a x\ndescription: *a')
    expect(
      readDocument(bomb)
        .problems.map((one) => one.message)
        .join(),
    ).toContain('aliases')
    expect(readDocument('').document).toBeNull()
    expect(readDocument('\0').document).toBeNull()
    expect(readDocument('---\n---').problems.length).toBeGreaterThan(0)
  })

  it('gets advice with line numbers', () => {
    const poor = FILE.replace('objectives: [LO1]\n', '')
      .replace('Two people at a table', 'IMG_0042.jpg')
      .replace('What comes first?', 'What comes first and why does it matter?')
      .replace('{{link}}', `{{constructor}} ${'long '.repeat(110)}`)
      .replace('Some text.', 'word '.repeat(1500))
    const { document, places } = readDocument(poor)
    const said = document
      ? lintDocument(document, places)
          .map(({ line, message }) => `${line} ${message}`)
          .join('\n')
      : ''
    for (const words of [
      '5 No question measures the objective “LO1”',
      '21 “IMG_0042.jpg” does not say',
      '26 “What comes first and why',
      '12 The message of “Listen” is as long as',
      '12 {{constructor}} is not a field',
      '11 “Listen” takes about 8 minutes',
    ])
      expect(said).toContain(words)
  })
})
