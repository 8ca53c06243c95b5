import { expect, it } from 'vitest'
import { actionInWords, asRecorded } from '#app/domain/audit/audit-event.ts'
import { valueInWords } from './value-words.ts'

it.each([
  [[{ role: 'user', sub_tenant_id: null }], 'User'],
  [
    [
      { role: 'admin', sub_tenant_id: '3f0e', sub_tenant: 'Field Operations' },
      { role: 'author', sub_tenant_id: null },
      { role: 'user', sub_tenant_id: '3f0e' },
    ],
    'Admin in Field Operations, Author, User in a sub-tenant',
  ],
  ['2026-11-28T02:44:49.960Z', 'Nov 28, 2026, 3:44:49 AM'],
  ['2026-11-28', 'Nov 28, 2026'],
  [{ to: '09:00', from: '20:00' }, '8:00 PM to 9:00 AM'],
  [{ to: 'Aya', from: 'Uri' }, 'to: Aya; from: Uri'],
  [['Safety', 'Sales'], 'Safety, Sales'],
  [true, 'yes'],
  [[], 'nothing'],
  [7, '7'],
])('The audit log shows %j in readable words', (value, words) => {
  expect(valueInWords(value, 'Europe/Amsterdam')).toBe(words)
})

it('The audit log shows actions in the words of the screens', () => {
  expect(actionInWords('sub_tenant.entered')).toBe('Sub-tenant entered')
  expect(actionInWords('api_key.created')).toBe('API key created')
  expect(actionInWords('journey.created')).toBe('Journey created')
  expect(actionInWords('members.added')).toBe('Participants added')
  expect(actionInWords('prompt.created')).toBe('Question created')
  expect(actionInWords('user_group.people_changed')).toBe('Group people changed')
})

it('A search of the audit log understands the words of the screens', () => {
  expect(asRecorded('Participants added')).toBe('members added')
  expect(asRecorded('Question')).toBe('prompt')
  expect(asRecorded('Group created')).toBe('user group created')
  expect(asRecorded('User group created')).toBe('user group created')
  expect(asRecorded('user_group.created')).toBe('user_group.created')
})
