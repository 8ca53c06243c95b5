/** The message with a sponsor's words, as the learner gets it. */
import { mailOf } from '../text/letter.ts'

type Encouragement = {
  said: string
  sponsor: string
  journey: string
  url: string
  unsubscribe?: string | undefined
}

export const encouragementMail = ({ said, sponsor, journey, url, unsubscribe }: Encouragement) =>
  mailOf(`${sponsor} wrote to you about “${journey}”`, {
    words: `${said}\n\n${sponsor}, your sponsor in “${journey}”`,
    button: { label: 'Open the journey', url },
    why: `You’re getting this e-mail because ${sponsor} is your sponsor in the learning journey “${journey}”.`,
    unsubscribe,
  })

export const encouragementText = ({ said, sponsor }: Pick<Encouragement, 'said' | 'sponsor'>): string =>
  `${sponsor}: ${said}`
