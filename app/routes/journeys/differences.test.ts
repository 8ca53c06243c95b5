import { expect, it } from 'vitest'
import { differencesOf } from './differences.ts'

const saved = [
  { id: 'a', text: 'A question', feedback: 'Indeed.', correct: true },
  { id: 'b', text: 'An answer', feedback: '', correct: false },
  { id: '', text: '', feedback: '', correct: false },
]
const sent = [
  { id: 'a', correct: 'on', text: 'A question', feedback: 'Indeed.' },
  { id: 'b', text: 'An answer' },
  { id: '' },
]
const compared = (value: unknown) =>
  differencesOf({ options: 'Answers' }, { options: saved }, { options: { value } })

it('No difference is shown between equal answers whose fields are in another order', () => {
  expect(compared(sent)).toEqual([])
})

it('Differences mark the right answer, and show no ids', () => {
  expect(compared([{ ...sent[0], text: 'To ask' }, sent[1]])).toEqual([
    {
      label: 'Answers',
      saved: 'A question (right) Indeed., An answer',
      typed: 'To ask (right) Indeed., An answer',
    },
  ])
})
