/** What an incoming text message asks for. */

export type Reading = { kind: 'stop' | 'start' | 'help' | 'other' } | { kind: 'leave'; journey_id: number }

export const TEXT_READINGS = ['stop', 'leave', 'start', 'help', 'answer', 'unclear', 'other'] as const
/** How it was handled: `unclear` is a reply to a lift's text that does not answer it. */
export type TextReading = (typeof TEXT_READINGS)[number]

const WORDS: Readonly<Record<string, 'stop' | 'start' | 'help'>> = {
  ...{ stop: 'stop', stopall: 'stop', unsubscribe: 'stop', cancel: 'stop', end: 'stop' },
  ...{ quit: 'stop', revoke: 'stop', optout: 'stop', unsub: 'stop' },
  // The carriers' keywords; those that could be answers as well are left out.
  ...{ arret: 'stop', arrêt: 'stop', parar: 'stop', pare: 'stop', stopp: 'stop' },
  ...{ start: 'start', unstop: 'start', yes: 'start' },
  ...{ help: 'help', info: 'help' },
}
/** Polite or repeated words around a keyword, which do not change its meaning. */
const AROUND = new Set(
  `please pls plz thanks thank you thx ty kindly now hi hello dear sir madam cheers it this all me us everything
  texting messaging sending texts text messages message sms`.split(/\s+/),
)
/** "The end" can be an answer, "stop the texts" cannot. */
const OUR_TEXTS = /\b(the|these|those|your|ur)\s+(?=(text|message)s?\b|sms\b)/g
const CODE = /^j?(\d{1,15})$/

export const isYes = (text: string): boolean => /^\W*yes\W*$/i.test(text)

export const journeyCode = (id: number): string => `J${id}`

/** Only the first line counts as a keyword: a name, or a signature of the phone, may follow it. */
export function readText(text: string): Reading {
  const [first = '', ...more] = text.trim().split(/[\r\n]+/)
  const whole = readWords(text)
  return whole.kind === 'other' && more.length > 0 && readWords(first).kind === 'stop'
    ? { kind: 'stop' }
    : whole
}

function readWords(text: string): Reading {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(OUR_TEXTS, '')
    .replace(/\b(opt|stop)[\s-]+(out|all)\b/g, '$1$2')
    .split(/[^\p{L}\p{N}']+/u)
    .filter((word, at, all) => word !== '' && !AROUND.has(word) && word !== all[at - 1])
  const [word = '', code, ...more] = words
  const kind = Object.hasOwn(WORDS, word) ? WORDS[word] : undefined
  if (!kind || more.length > 0) return { kind: 'other' }
  if (code === undefined || code === word) return { kind }
  const named = CODE.exec(code)?.[1]
  return kind === 'stop' && named ? { kind: 'leave', journey_id: Number(named) } : { kind: 'other' }
}
