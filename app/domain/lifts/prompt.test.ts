import { describe, expect, it } from 'vitest'
import { REQUIRED } from '#app/domain/text/text.ts'
import { PROMPT_KINDS, PromptInput, type PromptKind } from './prompt.ts'
import { answerTo, scoreOf } from './prompt-answers.ts'
import { PromptForm } from './prompt-form.ts'

const options = ['a', 'b', 'c'].map((id) => ({ id, text: id, correct: id !== 'c', feedback: '' }))

const VALID: Record<PromptKind, unknown[]> = {
  single_choice: ['a'],
  multiple_choice: [['a'], ['a', 'c']],
  true_false: [true, false],
  scale: [1, 5],
  short_text: ['x'],
  long_text: ['x'.repeat(5000)],
  number: [0, -1.5],
  ranking: [['c', 'a', 'b']],
  commitment: [{ what: 'listen', by: '2026-12-01' }],
  confidence: [0, 10],
}

const NONSENSE = [
  null,
  '',
  '  ',
  'd',
  [],
  ['a', 'a'],
  ['d'],
  {},
  Number.NaN,
  1e300,
  { what: '' },
  { what: 'x', by: 'soon' },
  { what: 'x\0', by: '2099-01-01' },
  'nul\0',
  'half \ud83d',
]

describe('Answers', () => {
  it.each(PROMPT_KINDS)('to %s are accepted only in their own shape', (kind) => {
    const shape = answerTo({ kind, options })
    for (const value of VALID[kind]) expect([value, shape.safeParse(value).success]).toEqual([value, true])
    const isText = kind === 'short_text' || kind === 'long_text'
    for (const value of NONSENSE.filter((one) => !(isText && one === 'd')))
      expect([value, shape.safeParse(value).success]).toEqual([value, false])
  })

  it('to a commitment leave out the “I will” that the question already says', () => {
    const kept = (what: string) => answerTo({ kind: 'commitment', options }).parse({ what, by: '2026-12-01' })
    expect(kept('I will run')).toMatchObject({ what: 'run' })
    expect(kept(' i’ll run')).toMatchObject({ what: 'run' })
    expect(kept('Illustrate it')).toMatchObject({ what: 'Illustrate it' })
    expect(kept('I will')).toMatchObject({ what: 'I will' })
  })

  it('outside the possible values are refused in plain words', () => {
    for (const [kind, value] of [
      ['scale', 6],
      ['scale', 2.5],
      ['confidence', -1],
      ['number', 1e300],
      ['number', 'seven'],
    ] as const) {
      const { error } = answerTo({ kind, options }).safeParse(value)
      expect([kind, error?.issues[0]?.message]).toEqual([
        kind,
        expect.stringMatching(/^Please (choose|enter) an? /),
      ])
    }
  })

  it('are scored by the right options, never below zero', () => {
    const auto = { options, scoring: 'auto' } as const
    expect(scoreOf({ ...auto, kind: 'single_choice' }, 'a')).toBe(1)
    expect(scoreOf({ ...auto, kind: 'single_choice' }, 'c')).toBe(0)
    expect(scoreOf({ ...auto, kind: 'multiple_choice' }, ['a', 'b'])).toBe(1)
    expect(scoreOf({ ...auto, kind: 'multiple_choice' }, ['a', 'c'])).toBe(0)
    expect(scoreOf({ ...auto, kind: 'multiple_choice' }, ['c'])).toBe(0)
    expect(scoreOf({ ...auto, scoring: 'none', kind: 'single_choice' }, 'a')).toBeNull()
  })
})

describe('A question', () => {
  it.each([
    [{ kind: 'single_choice', text: 'T', options: options.slice(0, 1) }],
    [{ kind: 'short_text', text: 'T', options }],
    [{ kind: 'single_choice', text: 'T', options }],
    [{ kind: 'single_choice', text: 'T', options: [options[0], options[0]] }],
    [{ kind: 'ranking', text: 'T', options: [options[0], { ...options[1], text: ' A ' }] }],
    [{ kind: 'ranking', text: '', options }],
    [{ kind: 'scale', text: 'T', is_admin: true }],
  ])('is refused: %j', (input) => {
    expect(PromptInput.safeParse(input).success).toBe(false)
  })
})

it('A question’s form marks an answer that repeats an earlier one', () => {
  const rows = ['Yes', '', 'No', 'yes '].map((text) => ({ text }))
  const { error } = PromptForm.safeParse({ kind: 'single_choice', text: 'T', options: rows })
  expect(error?.issues).toMatchObject([{ path: ['options', 3, 'text'], message: 'Two answers are the same' }])
})

it('A question’s form asks for the answer that feedback belongs to, unless it is being removed', () => {
  const form = (id: string) => ({
    ...{ kind: 'single_choice', text: 'T' },
    options: [{ text: 'One' }, { text: 'Two' }, { id, text: '', feedback: 'Well done' }],
  })
  const { error } = PromptForm.safeParse(form(''))
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
    [['options', 2, 'text'], 'Please write the answer too, or remove the feedback'],
  ])
  expect(PromptForm.safeParse(form('c')).success).toBe(true)
})

it.each([
  [0, 'Please enter a number above 0'],
  [1001, 'Please enter at most 1,000'],
])('A question’s form says once that %s points are not allowed', (max_score, why) => {
  const { error } = PromptForm.safeParse({ kind: 'short_text', text: 'T', max_score })
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[['max_score'], why]])
})

it('A question’s form says only once that the question is missing', () => {
  const { error } = PromptForm.safeParse({ kind: 'short_text', text: '' })
  expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([[['text'], REQUIRED]])
})
