import { expect, it } from 'vitest'
import { ProfileForm } from '#app/domain/account/profile-form.ts'
import { LiftForm } from '#app/domain/lifts/lift-form.ts'
import { UserForm } from '#app/domain/users/user.ts'
import { parseForm } from './parse-form.ts'

const parsed = (typed: Record<string, string>, schema: Parameters<typeof parseForm>[1] = ProfileForm) => {
  const form = new FormData()
  for (const [name, value] of Object.entries(typed)) form.set(name, value)
  const { payload: _, ...submission } = parseForm(form, schema)
  return submission.status === 'success' ? submission.value : submission.error
}

it('A field that was emptied clears its value, and a field that is not in the form changes nothing', () => {
  expect(parsed({ first_name: 'Ana', last_name: '', job_title: ' ' })).toEqual({
    first_name: 'Ana',
    last_name: '',
    job_title: null,
    sms_opt_in: false,
    accept_terms_and_conditions: false,
  })
})

it('A form names missing and invalid fields', () => {
  expect(parsed({ first_name: '', timezone: 'Nowhere' })).toEqual({
    first_name: ['This field is required'],
    timezone: ['There is no such time zone'],
  })
})

it('A form reports mistakes in one field and between fields at once', () => {
  const typed = {
    title: '',
    when: 'launch',
    question: 'What did you try?',
    'options[0].text': 'Talking',
    correct: '1',
  }
  expect(parsed(typed, LiftForm)).toMatchObject({
    title: ['This field is required'],
    'options[1].text': ['Please write the answer that is right, or mark another'],
  })
})

it('reports errors in the order of the fields, those of the API too', () => {
  const form = new FormData()
  const person = { first_name: '', email: 'x', mobile_phone: '1', timezone: 'Nowhere' }
  const typed = { ...person, 'user_general_roles[0].role': 'chief' }
  for (const [name, value] of Object.entries(typed)) form.set(name, value)
  const { error } = parseForm(form, UserForm).reply({ fieldErrors: { mobile_phone: ['Too short'] } })
  expect(Object.keys(error ?? {}).filter(Boolean)).toEqual([
    ...['first_name', 'email', 'mobile_phone', 'timezone', 'user_general_roles[0].role'],
  ])
})
