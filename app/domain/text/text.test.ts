import { expect, it } from 'vitest'
import { EmailAddress, FirstName, LastName } from './text.ts'

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
