import { expect, it } from 'vitest'
import { countSegments } from '../journeys/segments.ts'
import { introduction, liftText, signingIn, textLengths } from './lift-text.ts'
import { composeMessage } from './message.ts'

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

it('A reminder by text is as many texts as its lift', () => {
  for (const length of [140, 150, 151, 160, 161, 296, 306, 449, 459]) {
    const words = 'x'.repeat(length)
    const [lift, reminder] = [false, true].map((isReminder) => liftText(words, { isReminder }))
    expect([length, countSegments(reminder ?? '').segments]).toEqual([
      length,
      countSegments(lift ?? '').segments,
    ])
    expect([length, reminder?.startsWith('Reminder: ')]).toEqual([
      length,
      ![151, 160, 306, 459].includes(length),
    ])
  }
})

it('An author sees how many texts are sent: usually, the first time, and with the question', () => {
  const names = { journey: 'Better conversations', lift: 'A question that opens a door' }
  const question = {
    id: 1,
    kind: 'scale',
    text: 'How was it?',
    options: [],
    visibility: 'learner_only',
  } as const
  const about = { names, company: 'Acme', question }
  const words = `${'x'.repeat(100)} {{link}}`
  const many = (signsIn: boolean, text = words) => {
    const { usual, first, asked } = textLengths(text, { ...about, signsIn } as never)
    return [usual, first, asked].map((length) => length?.segments)
  }
  expect(many(false)).toEqual([1, 2, 2])
  // The same with the sign-in token, as long as there is room for it.
  expect(many(true)).toEqual([2, 2, 2])
  expect(many(true, `${'x'.repeat(400)} {{link}}`)).toEqual([3, 4, 3])
})
