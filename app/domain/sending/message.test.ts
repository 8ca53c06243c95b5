import { expect, it } from 'vitest'
import { composeMessage } from './message.ts'

it('The subject of a long journey and lift ends between signs, not within one', () => {
  const values = {
    first_name: 'Kim',
    journey: 'j'.repeat(120),
    lift: '',
    sponsor: '',
    link: 'https://learn.example',
  }
  const draft = {
    tenant_id: 'acme',
    key: 'acme:1',
    channel: 'email',
    to: 'kim@acme.example',
    attempt: 1,
  } as const
  for (const before of [67, 68, 69]) {
    const title = `${'t'.repeat(before)}😀 and on`
    const content = { title, sms_text: 'Hi', email_subject: '', est_minutes: 3 }
    const { subject } = composeMessage({ ...draft, content, values, isReminder: true })
    expect(subject).toMatch(/^Reminder: j{120}: t{67,}(😀)?$/u)
    expect(subject.isWellFormed()).toBe(true)
  }
})
