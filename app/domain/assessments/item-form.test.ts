import { describe, expect, it } from 'vitest'
import { AssessmentItem } from './assessment.ts'
import { formOfItem, ItemForm, itemOfForm } from './item-form.ts'

const read = (more: object, before?: AssessmentItem) =>
  itemOfForm(ItemForm.parse({ lock_version: 0, text: 'Q', weight: 1, ...more }), before)

describe('An assessment item in a form', () => {
  it('has a step per line, even without text, and none after the last line with text', () => {
    expect(read({ kind: 'scale', anchors: 'Never\r\n\r\n\r\nAlways\r\n\r\n' }).anchors).toEqual([
      'Never',
      '',
      '',
      'Always',
    ])
    expect(
      ItemForm.safeParse({ lock_version: 0, text: 'Q', kind: 'scale', anchors: 'One' }).error?.issues[0],
    ).toMatchObject({
      path: ['anchors'],
      message: 'A scale has at least two steps',
    })
  })

  it('has an answer per line, with its points after a bar', () => {
    expect(read({ kind: 'choice', options: 'Seldom | 0\nOften | 2.5\nNo | idea' }).options).toEqual([
      { id: 'a', text: 'Seldom', points: 0 },
      { id: 'b', text: 'Often', points: 2.5 },
      { id: 'c', text: 'No | idea', points: null },
    ])
  })

  it('keeps the id of an answer whose text is unchanged, and reads back what it wrote', () => {
    const before = AssessmentItem.parse({
      ...{ id: 7, text: 'Q', kind: 'choice', objective_id: 3, weight: 2, pair_key: 'k' },
      options: [
        { id: 'b', text: 'Often', points: 1 },
        { id: 'a', text: 'Seldom' },
      ],
    })
    expect(itemOfForm(ItemForm.parse(formOfItem(0, 'choice', before)), before)).toEqual(before)
    expect(read({ kind: 'choice', options: 'Always\nOften' }, before).options.map(({ id }) => id)).toEqual([
      'c',
      'b',
    ])
  })
})
