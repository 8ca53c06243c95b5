import { expect, it } from 'vitest'
import { fullName, nameOrEmail } from './full-name.ts'

it.each([
  ['Lena', 'Fischer', 'Lena Fischer'],
  ['Lena', '', 'Lena'],
  ['', 'Fischer', 'Fischer'],
  [null, null, ''],
])('The full name of %j %j is %j', (first_name, last_name, name) => {
  expect(fullName({ first_name, last_name })).toBe(name)
})

it('A person without a name is called by their e-mail address', () => {
  const email = 'lena@acme.example'
  expect(nameOrEmail({ first_name: '', last_name: '', email })).toBe(email)
  expect(nameOrEmail({ first_name: 'Lena', last_name: '', email })).toBe('Lena')
})
