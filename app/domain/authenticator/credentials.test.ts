import { expect, it } from 'vitest'
import { EmailUsername } from './credentials.ts'

it('An empty user name is reported as missing, not as an invalid e-mail', () => {
  for (const empty of ['', '  '])
    expect(EmailUsername.safeParse(empty).error?.issues.map(({ message }) => message)).toEqual([
      'This field is required',
    ])
})
