import { expect, it } from 'vitest'
import { nameBlock } from './block-form.ts'

it.each([
  ['# Why it helps\n\nText', 'Why it helps'],
  ['\n- **Ask** somebody', 'Ask somebody'],
  ['> As they say', 'As they say'],
  ['2 * 3 is #6', '2 * 3 is #6'],
])('A text block is named after its first line, without formatting: %j', (markdown, name) =>
  expect(nameBlock({ kind: 'text', markdown })).toBe(name),
)
