import { describe, expect, it } from 'vitest'
import { describePolicy, newPasswordOf, type PasswordPolicy, passwordProblems } from './new-password.ts'

const lenient: PasswordPolicy = {
  min_length: 8,
  require_lowercase: false,
  require_uppercase: false,
  require_numbers: false,
  require_special_characters: false,
}
const strict: PasswordPolicy = {
  min_length: 12,
  require_lowercase: true,
  require_uppercase: true,
  require_numbers: true,
  require_special_characters: true,
}

describe('A new password', () => {
  it('names every rule that it breaks', () => {
    expect(passwordProblems(lenient, 'seven77')).toEqual(['Password must have at least 8 characters'])
    expect(passwordProblems(lenient, '        ')).toEqual([])
    expect(passwordProblems(strict, '')).toEqual([
      'Password must have at least 12 characters',
      'Password must have lower case letters',
      'Password must have upper case letters',
      'Password must have numbers',
      'Password must have special characters',
    ])
    expect(passwordProblems(strict, 'Zürich is 2 big')).toEqual([])
  })

  it('is typed the same twice, spaces included', () => {
    const messages = (password?: string, confirm_password?: string) =>
      newPasswordOf(lenient)
        .safeParse({ password, confirm_password })
        .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
    expect(messages('12345678x', '12345678x')).toBeUndefined()
    expect(messages('12345678x', ' 12345678x')).toEqual(['confirm_password: Your passwords must match'])
    expect(messages('short', 'other')).toEqual([
      'password: Password must have at least 8 characters',
      'confirm_password: Your passwords must match',
    ])
    expect(messages()).toEqual([
      'password: This field is required',
      'confirm_password: This field is required',
    ])
  })

  it('is described before it is typed', () => {
    expect(describePolicy(lenient)).toBe('At least 8 characters.')
    expect(describePolicy({ ...lenient, require_numbers: true, require_uppercase: true })).toBe(
      'At least 8 characters, with upper case letters and numbers.',
    )
  })
})
