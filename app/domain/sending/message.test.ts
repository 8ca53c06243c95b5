import { expect, it } from 'vitest'
import { composeMessage, introduction, signingIn } from './message.ts'

it('The subject of a long journey and lift is not cut within an emoji', () => {
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

it('A reminder by text begins with “Reminder” only if that needs no further segment', () => {
  const values = {
    first_name: 'Maximiliane',
    journey: 'Better conversations',
    lift: 'A question that opens a door',
    sponsor: '',
    link: signingIn('https://learn.example.com/lift/1000000?m=zzzzzz', 'x'.repeat(22)),
  }
  const draft = { tenant_id: 'acme', key: 'acme:1', channel: 'sms', to: '+15550100', attempt: 1 } as const
  const textOf = (sms_text: string, isReminder: boolean) =>
    composeMessage({
      ...draft,
      content: { title: values.lift, sms_text, email_subject: '', est_minutes: 3 },
      values,
      isReminder,
      before: introduction('Acme'),
    })
  const [lift, reminder] = [false, true].map((isReminder) => textOf('Ready: {{link}}', isReminder))
  expect(reminder?.text).toBe(lift?.text.replace('Ready', 'Reminder: Ready'))
  expect([lift?.segments, reminder?.segments]).toEqual([1, 1])
  const full = 'x'.repeat(459 - introduction('Acme').length - values.link.length - 1)
  expect(textOf(full, true).text).toBe(textOf(full, false).text)
})
