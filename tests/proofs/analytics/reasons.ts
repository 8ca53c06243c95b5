/** Why a lift did not reach a learner: the code of their last message that says so, and its words on screen. */
import type { Book, Turn } from './by-hand.ts'

const SAID: Readonly<Record<string, string>> = {
  'smtp:550': 'The mail server reported “550”',
  'sms:30005': 'The carrier of texts reported 30005',
  number_opted_out: 'The number takes no texts from us',
  closed: 'The lift had closed',
  'unknown null': 'The carrier gave no answer',
  'suppressed null': 'No channel was open to the learner',
  'failed null': 'The carrier gave no reason',
  'expired null': 'The lift closed before a message left',
}

export const isHindered = ({ delivery }: Turn): boolean => delivery !== 'accepted' && delivery !== 'pending'

export function codeOf(book: Book, turn: Turn): string | null {
  const states = turn.delivery === 'failed' ? ['failed', 'undelivered'] : [turn.delivery]
  const those = book.messagesOf(turn).filter(({ state }) => states.includes(state))
  const last = those.reduce<(typeof those)[number] | null>(
    (latest, one) => (latest && latest.id > one.id ? latest : one),
    null,
  )
  return last?.error_code ?? null
}

export const reasonOf = (delivery: string, code: string | null): string | undefined =>
  SAID[code ?? ''] ?? SAID[`${delivery} ${code}`]
