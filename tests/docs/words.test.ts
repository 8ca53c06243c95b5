/** The words on screen, in messages, in the API and in the output of the process. */
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ALLOWED, BANNED } from './banned-words.ts'
import { productTexts, textsOf } from './product-texts.ts'

const texts = productTexts()
const allowed = new Set(ALLOWED.map(([text]) => text))

it('the search for words reads strings, templates and JSX text, and no comments', () => {
  const source = `
    // written anew by hand
    const word = 'Submit it anew'
    const long = \`A message \${count} rests until morning\`
    const screen = <p title="Whoever did it">Two words</p>`
  expect(textsOf('some.tsx', source).map(({ text }) => text)).toEqual([
    'Submit it anew',
    'A message {} rests until morning',
    'Whoever did it',
    'Two words',
  ])
  expect(texts.length).toBeGreaterThan(3000)
})

describe.each(BANNED)('%s', (pattern, instead) => {
  it(`appears in no text of the product; instead: ${instead}`, () => {
    const found = texts.filter(({ text }) => pattern.test(text) && !allowed.has(text))
    expect(found.map(({ place, text }) => `${place} ${text}`)).toEqual([])
  })
})

it('the list of allowed texts names only texts that exist', () => {
  const there = new Set(texts.map(({ text }) => text))
  expect(ALLOWED.filter(([text]) => !there.has(text))).toEqual([])
})

it('dates, times and numbers are formatted in one place', () => {
  const named = execFileSync('git', ['grep', '-l', "'en-US'", '--', 'app', ':!*.test.ts'], {
    encoding: 'utf8',
  })
  // The embedded provider imports nothing of ours.
  expect(named.trim().split('\n')).toEqual(['app/domain/text/figures.ts', 'app/identity/no-house.ts'])
})
