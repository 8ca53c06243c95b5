import { describe, expect, it } from 'vitest'
import { attributesIn } from './attributes.ts'
import {
  describePolicy,
  mustMatch,
  newPasswordOf,
  type PasswordPolicy,
  passwordProblems,
  signUpOf,
} from './new-password.ts'

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
  it('is refused with every rule that it breaks', () => {
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

  it('must be typed the same twice, including spaces', () => {
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

  it('is compared once both fields were left, or both have six characters', () => {
    expect(mustMatch('', '', true)).toBe(false)
    expect(mustMatch('abc', '', false)).toBe(false)
    expect(mustMatch('abc', '', true)).toBe(true)
    expect(mustMatch('abcdef', 'abcde', false)).toBe(false)
    expect(mustMatch('abcdef', 'abcdeg', false)).toBe(true)
    expect(mustMatch('abcdef', 'abcdef', true)).toBe(false)
  })

  it('is compared in a browser’s form once both fields were left', () => {
    const wrong = (left: string[], password?: string) =>
      signUpOf(lenient, [], new Set(left))
        .safeParse({ username: 'a@b.example', password, confirm_password: 'other' })
        .error?.issues.filter(({ path }) => path.includes('confirm_password')).length ?? 0
    expect(wrong(['confirm_password'])).toBe(0)
    expect(wrong(['confirm_password', 'username'], 'longenough')).toBe(0)
    expect(wrong(['confirm_password', 'password'], 'longenough')).toBe(1)
  })

  it('is refused together with all other mistakes of the form', () => {
    const { error } = signUpOf(lenient, ['given_name', 'phone_number']).safeParse({
      username: 'nobody',
      password: 'short',
      confirm_password: 'other',
      country_code: '+43',
      phone_number: '12',
    })
    expect(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).sort()).toEqual([
      'confirm_password: Your passwords must match',
      'given_name: This field is required',
      'password: Password must have at least 8 characters',
      'phone_number: Please enter a valid phone number',
      'username: Please enter a valid email',
    ])
  })

  it('has its rules described in one sentence', () => {
    expect(describePolicy(lenient)).toBe('At least 8 characters.')
    expect(describePolicy({ ...lenient, require_numbers: true, require_uppercase: true })).toBe(
      'At least 8 characters, with upper case letters and numbers.',
    )
  })
})

describe('Attributes', () => {
  it('are sent only under allowed names, with the phone as one number, and without blank ones', () => {
    const typed = { given_name: 'Nina', 'custom:team': 'blue', nickname: '', is_super_admin: 'true' }
    const phone = { country_code: '+1', phone_number: '(555) 123-4567' }
    expect(attributesIn({ ...typed, ...phone })).toEqual({
      given_name: 'Nina',
      'custom:team': 'blue',
      phone_number: '+15551234567',
    })
    expect(attributesIn({ country_code: '+1', phone_number: '' })).toEqual({})
  })
})
