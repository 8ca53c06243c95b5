import { expect, it } from 'vitest'
import { fullName, nameOrEmail } from './full-name.ts'

it.each([
  ['Lena', 'Fischer', 'Lena Fischer'],
  ['Lena', '', 'Lena'],
  ['', 'Fischer', 'Fischer'],
  [null, null, ''],
])('calls %j %j %j', (first_name, last_name, name) => {
  expect(fullName({ first_name, last_name })).toBe(name)
})

it('calls those by their address who gave no name', () => {
  const email = 'lena@acme.example'
  expect(nameOrEmail({ first_name: '', last_name: '', email })).toBe(email)
  expect(nameOrEmail({ first_name: 'Lena', last_name: '', email })).toBe('Lena')
})
