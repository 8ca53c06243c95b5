/** The text of the reminder about a commitment for today. */
import { beginningOf } from '../text/beginning.ts'
import { mailOf } from '../text/letter.ts'

const MAX_LETTERS = 100

type Promised = {
  whats: readonly string[]
  first_name: string
  journey: string
  company: string
  origin: string
  unsubscribe?: string | undefined
}

const shortened = (what = ''): string =>
  what.length > MAX_LETTERS ? `${beginningOf(what, MAX_LETTERS - 1).trimEnd()}…` : what
const also = (whats: readonly string[]) => (whats.length > 1 ? ` and ${whats.length - 1} more` : '')

export const commitmentText = ({ whats, origin }: Pick<Promised, 'whats' | 'origin'>): string =>
  `For today you said: I will ${shortened(whats[0])}${also(whats)}. Done? ${origin}/todo`

export const commitmentMail = ({ whats, first_name, journey, company, origin, unsubscribe }: Promised) =>
  mailOf(`For today: ${shortened(whats[0]).replace(/\s+/g, ' ')}${also(whats)}`, {
    words: [
      first_name ? `Hi ${first_name},` : 'Hello,',
      `For today you said:\n${whats.map((what) => `- I will ${what}`).join('\n')}`,
      'Mark it as done, change it, or drop it.',
    ].join('\n\n'),
    button: { label: 'Say how it went', url: `${origin}/todo` },
    why: `You’re getting this e-mail because you’re in the learning journey “${journey}” at ${company}.`,
    unsubscribe,
  })
