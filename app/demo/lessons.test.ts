import { expect, it } from 'vitest'
import * as lessons from './lessons.ts'

it('Feedback leaves it to the page to say whether an answer is right', () => {
  const said = Object.values(lessons)
    .flat()
    .flatMap(({ options }) => options.map(([, feedback]) => feedback))
  expect(said.length).toBeGreaterThan(30)
  expect(said.filter((feedback) => /^(Right|Yes)\b/.test(feedback))).toEqual([])
})
