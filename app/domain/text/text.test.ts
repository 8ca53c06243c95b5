import { describe, expect, it } from 'vitest'
import { EmailAddress, FirstName, LastName, line } from './text.ts'

it.each([
  'https://evil.example pay now',
  'www.evil.example',
  '[x](https://evil.example)',
  'evil.example/now',
])('A name cannot be a web address: %s', (name) => {
  for (const field of [FirstName, LastName])
    expect(field.safeParse(name).error?.issues[0]?.message).toBe('Please use a name, not a web address')
})

it.each(['J. R.', 'St. John', 'Anne-Marie', "O'Neill", 'Jr./Sr.', 'Ana María'])(
  'A name can be %s',
  (name) => {
    for (const field of [FirstName, LastName]) expect(field.parse(name)).toBe(name)
  },
)

it('An empty address is reported as missing, not as invalid', () => {
  for (const empty of ['', '  '])
    expect(EmailAddress.safeParse(empty).error?.issues.map(({ message }) => message)).toEqual([
      'This field is required',
    ])
})

describe('Text copied from elsewhere', () => {
  it('loses the invisible marks around it, and no letter', () => {
    expect(line(80).parse('\u202B \u200Fيوسف\u200F \u202C')).toBe('يوسف')
    expect(EmailAddress.parse('\u200EAna@Copied.example\u200B')).toBe('ana@copied.example')
    // A last letter that needs its joiner, as Malayalam has.
    expect(line(80).parse('അനില്\u200D')).toBe('അനില്\u200D')
    expect(line(80).safeParse('a\u202Eb').success).toBe(false)
  })
})
