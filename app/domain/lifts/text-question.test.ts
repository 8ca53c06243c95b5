import { expect, it } from 'vitest'
import type { PromptKind } from './prompt.ts'
import { askInText, readReply, textQuestion } from './text-question.ts'

const options = (...texts: string[]) =>
  texts.map((text, index) => ({ id: `o${index}`, text, correct: null, feedback: '' }))
const asking = (kind: PromptKind, ...texts: string[]) => ({
  ...{ id: 1, lift_id: 1, position: 1, version: 1, help: '', target: null, objective_ids: [] },
  ...{ scoring: 'none' as const, max_score: 1, required: true, visibility: 'sponsor' as const },
  ...{ kind, text: 'What comes first?', options: options(...texts) },
})
const TALK = ['Listening', 'Talking', 'Both, in turn']

it.each<[PromptKind, string[], string, unknown]>([
  ['single_choice', TALK, 'A', 'o0'],
  ['single_choice', TALK, ' b.', 'o1'],
  ['single_choice', TALK, '(c)', 'o2'],
  ['single_choice', TALK, '2', 'o1'],
  ['single_choice', TALK, 'listening!', 'o0'],
  ['single_choice', TALK, 'both,  in turn', 'o2'],
  ['single_choice', TALK, 'D', undefined],
  ['single_choice', TALK, '4', undefined],
  ['single_choice', TALK, 'A or B', undefined],
  ['single_choice', TALK, 'A B', undefined],
  ['single_choice', TALK, 'a great question', undefined],
  ['single_choice', TALK, '', undefined],
  // "1" is the text of the second option and the number of the first.
  ['single_choice', ['2', '1'], '1', undefined],
  ['single_choice', ['2', '1'], 'B', 'o1'],
  ['multiple_choice', TALK, 'A, c', ['o0', 'o2']],
  ['multiple_choice', TALK, '1 and 2', ['o0', 'o1']],
  ['multiple_choice', TALK, 'Both, in turn', ['o2']],
  ['multiple_choice', TALK, 'A, maybe', undefined],
  ['multiple_choice', TALK, ',', undefined],
  ['single_choice', [...TALK, 'Neither'], ':D', undefined],
  ['single_choice', [...TALK, 'Neither'], ';-D', undefined],
  ['single_choice', TALK, '👍 A 👍', 'o0'],
  ['single_choice', ['-5', '5'], '-5', 'o0'],
  ['true_false', [], 'True', true],
  ['true_false', [], 'f', false],
  ['true_false', [], 'not true', undefined],
  ['true_false', [], 'constructor', undefined],
  ['scale', [], '4', 4],
  ['scale', [], '4!', 4],
  ['scale', [], '-4', undefined],
  ['scale', [], '+1', undefined],
  ['scale', [], '<3', undefined],
  ['scale', [], '6', undefined],
  ['scale', [], '0', undefined],
  ['scale', [], '4 or 5', undefined],
  ['scale', [], '3.5', undefined],
  ['confidence', [], '0', 0],
  ['confidence', [], '10', 10],
  ['confidence', [], '11', undefined],
  ['number', [], '-12.5', -12.5],
  ['number', [], '1,5', undefined],
  ['number', [], '1e9', undefined],
  ['short_text', [], ' I listen. ', 'I listen.'],
  ['short_text', [], 'x'.repeat(301), undefined],
  ['short_text', [], '  ', undefined],
])('A question of kind %s with the options %j reads the reply %j as %j', (kind, texts, reply, value) => {
  expect(readReply(asking(kind, ...texts), reply)).toEqual(value)
})

const lift = (...prompts: ReturnType<typeof asking>[]) => ({
  prompts,
  completion_rule: 'all_required_prompts' as const,
})

it('A text message asks a question that fits into it, and says who can read the answer', () => {
  const question = asking('single_choice', ...TALK)
  expect(textQuestion(lift(question))).toBe(question)
  expect(askInText(question)).toBe(
    "What comes first? Reply A for Listening, B for Talking, C for Both, in turn. Your sponsor, this journey's author and your administrators can read your answer.",
  )
})

it.each([
  ['two questions', lift(asking('scale'), asking('scale'))],
  ['no question', lift()],
  ['an optional question', lift({ ...asking('scale'), required: false })],
  ['confirmation by reading', { ...lift(asking('scale')), completion_rule: 'viewed_and_confirmed' as const }],
  ['a ranking', lift(asking('ranking', ...TALK))],
  ['a commitment', lift(asking('commitment'))],
  ['options named like letters of others', lift(asking('single_choice', 'B', 'A'))],
  [
    'options too long for a text',
    lift(asking('single_choice', 'x'.repeat(200), 'y'.repeat(200), 'z'.repeat(200))),
  ],
])('A text message asks no question of a lift with %s', (_, content) => {
  expect(textQuestion(content)).toBeNull()
})
