import { describe, expect, it } from 'vitest'
import { isAsStored } from './as-stored.ts'

const stored = {
  ...{
    id: 1,
    lock_version: 4,
    name: 'Ada',
    job_title: null,
    muted: ['info'],
    admins: [{ email: 'a@b.example' }],
  },
  user_general_roles: [{ role: 'user', tenant_id: 't', sub_tenant_id: null }],
}

describe('A repeated edit', () => {
  it.each([
    { lock_version: 3, name: 'Ada' },
    { version: 1, job_title: '', muted: ['info'], password: 'x' },
    { name: 'Ada', user_general_roles: [{ role: 'user', sub_tenant_id: null }] },
    { name: 'Ada', admins: [] },
    { admins: [{ email: 'A@b.example', first_name: 'Abe' }] },
  ])('equals what is stored: %j', (sent) => expect(isAsStored(sent, stored)).toBe(true))

  it.each([
    { name: 'Bob' },
    { name: '' },
    { job_title: 'Pilot' },
    { muted: [] },
    { muted: ['info', 'launch'] },
    { unknown: 1 },
    { user_general_roles: [{ role: 'admin', sub_tenant_id: null }] },
    { admins: [{ email: 'new@b.example' }] },
    null,
    undefined,
    'Ada',
  ])('differs from what is stored: %j', (sent) => expect(isAsStored(sent, stored)).toBe(false))
})
