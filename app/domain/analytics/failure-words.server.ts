import type { WhyNot } from '../mail-stops/asking.server.ts'

const NOT_MAILED: Record<WhyNot, string> = {
  mail_stopped: 'The learner stopped e-mails',
  address_bounced: 'The address takes no e-mails',
  address_complained: 'The learner reported an e-mail as spam',
}

const WORDS: Readonly<Record<string, string>> = {
  ...NOT_MAILED,
  number_opted_out: 'The number takes no texts from us',
  number_unknown: 'Nobody has agreed to texts for the number',
  number_invalid: 'The number does not exist',
  number_invalid_number: 'The number does not exist',
  number_reassigned: 'The number belongs to somebody else now',
  mailbox_full: 'The mailbox is full',
  no_such_mailbox: 'The address does not exist',
  address: 'The address is not valid',
  not_arrived: 'Marked as not arrived',
  sent_again: 'Marked to be sent again',
  too_late: 'It was too late to send it',
  restored: 'It may have been sent before a backup was restored',
  skipped: 'It was skipped when the journey went on',
  not_active: 'The learner no longer takes part',
  todo_only: 'The lift is in the to-do list only',
  stopped: 'The learner stopped messages of this journey',
  withdrawn: 'The learner left the journey',
  completed: 'The journey was completed',
  archived: 'The journey was archived',
  closed: 'The lift had closed',
  'smtp:closed': 'The mail server closed the connection',
  arrived: 'It had arrived on another channel',
}

export function failureInWords(outcome: string, code: string | null): string {
  if (code !== null) return WORDS[code] ?? reported(code)
  return (
    {
      unknown: 'The carrier gave no answer',
      suppressed: 'No channel was open to the learner',
      failed: 'The carrier gave no reason',
      expired: 'The lift closed before a message left',
    }[outcome] ?? 'No reason is known'
  )
}

/** A carrier's code begins with the channel: `smtp:550`, `sms:30005`. */
function reported(code: string): string {
  const [way = '', ...rest] = code.split(':')
  const words = rest.join(':')
  if (words && way === 'smtp') return `The mail server reported “${words}”`
  if (words && way === 'sms') return `The carrier of texts reported ${words}`
  return `The carrier reported ${code}`
}
