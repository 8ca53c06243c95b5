import { expect, it } from 'vitest'
import * as lessons from './lessons.ts'

it('Feedback in the demo does not begin by saying that the answer is right', () => {
  const said = Object.values(lessons)
    .flat()
    .flatMap(({ options }) => options.map(([, feedback]) => feedback))
  expect(said.length).toBeGreaterThan(30)
  expect(said.filter((feedback) => /^(Right|Yes)\b/.test(feedback))).toEqual([])
})
