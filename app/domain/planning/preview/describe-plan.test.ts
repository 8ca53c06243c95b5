import { expect, it } from 'vitest'
import { describeStanding } from './describe-plan.ts'

const occurrence = {
  lift_id: 1,
  member_id: 1,
  planned_local: null,
  due_at: new Date('2026-11-20T08:00:00Z'),
  send_at: null,
  zone: 'UTC',
  state: 'planned',
  channel: 'email',
  shifted: [],
}
const learner = {
  id: 1,
  user_id: 1,
  name: 'Uri',
  mobile_phone: null,
  channel: 'email',
  fell_back: false,
} as const

it.each([
  ['has no phone number', { fell_back: true }, ['No mobile number on file: it goes by e-mail.']],
  [
    'has not agreed to texts',
    { fell_back: true, mobile_phone: '+436641234567' },
    ['No consent to text messages on file: it goes by e-mail.'],
  ],
  ['gets e-mails anyway (no reason)', {}, []],
])('The plan gives the reason for the e-mail to a learner who %s', (_who, more, texts) => {
  const around = { lifts: [], learners: [{ ...learner, ...more }], as_of: new Date('2026-11-19T08:00:00Z') }
  const [entry] = describeStanding(occurrence, around)
  expect(entry?.why.map(({ text }) => text)).toEqual(texts)
})
