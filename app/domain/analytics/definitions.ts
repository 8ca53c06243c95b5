/** What each figure counts, in one line; shown under the tiles and above the rows behind a figure. */
export const FIGURE_NAMES = ['coverage', 'delivery', 'open', 'response', 'completion'] as const
export type FigureName = (typeof FIGURE_NAMES)[number]

type Definition = {
  name: string
  /** One line, under the tile. */
  line: string
  n: string
  d: string
  yes: string
  no: string
}

export const DEFINITIONS: Record<FigureName, Definition> = {
  coverage: {
    name: 'Sent',
    line: 'Of all that was due: a message was sent.',
    n: 'those for which a carrier took at least one message',
    d: 'each lift that was due, counted once for each learner',
    yes: 'Sent',
    no: 'Not sent',
  },
  delivery: {
    name: 'Delivered',
    line: 'Of those sent: the carrier confirmed it.',
    n: 'those of which the carrier confirmed the arrival',
    d: 'each lift that was sent, counted once for each learner',
    yes: 'Delivered',
    no: 'Delivery not confirmed',
  },
  open: {
    name: 'Opened',
    line: 'Of those delivered: the learner opened the page.',
    n: 'those whose page the learner opened while signed in; previews of links do not count',
    d: 'each lift that was delivered, counted once for each learner',
    yes: 'Opened',
    no: 'Not opened',
  },
  response: {
    name: 'Answered',
    line: 'Of those due with a question: an answer came.',
    n: 'those to which the learner gave at least one answer',
    d: 'each lift that was due and has a question, counted once for each learner',
    yes: 'Answered',
    no: 'Not answered',
  },
  completion: {
    name: 'Completed',
    line: 'Of all that was due: the learner finished it.',
    n: 'those that the learner completed',
    d: 'each lift that was due, counted once for each learner',
    yes: 'Completed',
    no: 'Not completed',
  },
}
