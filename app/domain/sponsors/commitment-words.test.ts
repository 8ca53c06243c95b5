import { expect, it } from 'vitest'
import { commitmentText } from './commitment-words.ts'

it('A shortened commitment is not cut within an emoji', () => {
  for (const before of [97, 98, 99]) {
    const text = commitmentText({
      whats: [`${'x'.repeat(before)}😀 and more`],
      origin: 'https://learn.example',
    })
    expect(text).toMatch(/^For today you said: I will x{97,}(😀)?…\. Done\?/u)
    expect(text.isWellFormed()).toBe(true)
  }
})
