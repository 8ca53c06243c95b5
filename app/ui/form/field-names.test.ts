import { describe, expect, it } from 'vitest'
import { fieldName } from './field-names.ts'

describe('A field in the list of mistakes', () => {
  it.each([
    ['customer_type', 'Customer type'],
    ['timezone', 'Time zone'],
    ['quiet_hours.from', 'Quiet hours, from'],
    ['admins[1].email', 'New administrator 2, e-mail'],
    ['user_general_roles[0].sub_tenant_id', 'Role 1, where'],
    ['logo', 'Logo'],
  ])('%s is called “%s”', (path, words) => expect(fieldName(path)).toBe(words))
})
