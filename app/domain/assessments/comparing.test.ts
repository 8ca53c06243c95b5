import { expect, it } from 'vitest'
import { columnsOf, commentsOf, inPoints, rowsOf } from './comparing.ts'
import { LearnerAssessment } from './form.ts'

const STEPS = ['', '', '', '', '']
const form = (rater: string, answers: [number, unknown][] | null, more: object = {}) => ({
  ...{ rater, state: 'submitted', is_mine: false, revision: 1, reopened_reason: null },
  ...{ opens_at: null, closes_at: null, submitted_at: null, score: null, answers_version: null },
  answers: answers?.map(([item_id, value]) => ({ item_id, value })) ?? null,
  ...more,
})
const assessment = (
  id: number,
  phase: string,
  items: object[],
  forms: object[],
  peers: object | null = null,
) =>
  LearnerAssessment.parse({
    id,
    name: `A${id}`,
    phase,
    raters: ['self', 'sponsor'],
    is_retired: false,
    items,
    forms,
    peers,
  })

const before = assessment(
  1,
  'pre',
  [
    { id: 1, text: 'I listen.', kind: 'scale', anchors: STEPS, pair_key: 'listen' },
    { id: 2, text: 'Why?', kind: 'text' },
  ],
  [
    form('self', [
      [1, 4],
      [2, 'I try'],
    ]),
    form('sponsor', [[1, 2]]),
  ],
)
const after = assessment(
  2,
  'post',
  [
    { id: 3, text: 'I listen more.', kind: 'scale', anchors: STEPS, pair_key: 'listen' },
    { id: 4, text: 'WHY?', kind: 'text' },
  ],
  [form('self', [[3, 5]]), form('sponsor', null, { state: 'in_progress' })],
  {
    ...{ asked: 6, submitted: 5, is_open: true, counted: 5, score: null },
    levels: [{ item_id: 3, level: 0.625, answers: 5 }],
    words: [{ item_id: 4, text: 'They do' }],
  },
)

it('The comparison puts paired questions side by side, with the gap to the sponsor and the change', () => {
  expect(columnsOf([before, after]).map(({ key }) => key)).toEqual([
    '1 self',
    '1 sponsor',
    '2 self',
    '2 peers',
  ])
  expect(rowsOf([before, after])).toEqual([
    {
      key: 'listen',
      text: 'I listen.',
      said: {
        '1 self': { words: '4 of 5', level: 0.75 },
        '1 sponsor': { words: '2 of 5', level: 0.25 },
        '2 self': { words: '5 of 5', level: 1 },
        '2 peers': { words: '63%', level: 0.625 },
      },
      gaps: { 1: 0.5 },
      change: 0.25,
    },
  ])
  expect([inPoints(0.5), inPoints(-0.25), inPoints(0.001)]).toEqual(['+50', '−25', '0'])
})

it('The comparison collects written comments under their question', () => {
  const comments = commentsOf([before, after], ({ rater }) => rater)
  expect(comments).toEqual([
    {
      key: 'why?',
      text: 'Why?',
      from: [
        { who: 'self', words: 'I try' },
        { who: 'peers', words: 'They do' },
      ],
    },
  ])
})
