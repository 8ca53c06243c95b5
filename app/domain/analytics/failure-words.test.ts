import { expect, it } from 'vitest'
import { failureInWords } from './failure-words.server.ts'

it.each([
  ['mail_stopped', 'The learner stopped e-mails'],
  ['address_bounced', 'The address takes no e-mails'],
  ['address_complained', 'The learner reported an e-mail as spam'],
  ['smtp:552 Too large', 'The mail server reported “552 Too large”'],
])('The reason for holding a message back is explained: %s', (code, words) =>
  expect(failureInWords('suppressed', code)).toBe(words),
)
