import { expect, it } from 'vitest'
import { differences } from './differences.server.ts'

it('The differences are old and new values of changed fields only', () => {
  const before = {
    name: 'Acme',
    timezone: 'UTC',
    hours: { from: '20:00', to: '09:00' },
    plan: null,
    on: true,
  }
  const after = {
    name: 'Acme Ltd',
    timezone: 'UTC',
    hours: { to: '09:00', from: '20:00' },
    plan: '',
    on: undefined,
  }
  expect(differences(before, after)).toEqual({ name: { before: 'Acme', after: 'Acme Ltd' } })
})

it('The differences contain no secrets, and mask e-mail addresses and phone numbers', () => {
  const after = {
    password: 'one',
    client_secret: 'two',
    tokens_sealed: 'three',
    email: 'tina@acme.example',
    mobile_phone: '+436601112223',
    password_policy: { min_length: 9 },
  }
  expect(differences({ email: 'tom@acme.example' }, after)).toEqual({
    email: { before: 't**m@acme.example', after: 't**a@acme.example' },
    mobile_phone: { before: null, after: '********2223' },
    password_policy: { before: null, after: { min_length: 9 } },
  })
})

it('The differences give only the length of a long text', () => {
  const kept = differences({ body: 'short' }, { body: 'x'.repeat(20_000) })
  expect(kept.body).toEqual({ before: 'short', after: '(20,002 characters)' })
})
