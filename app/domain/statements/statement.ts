/** The parts of xAPI 1.0.3 statements that journeys use: https://github.com/adlnet/xAPI-Spec */
import { LOCALE } from '../text/figures.ts'

type Words = Readonly<Record<string, string>>

export type Agent = { objectType: 'Agent' } & (
  | { account: { homePage: string; name: string } }
  | { mbox: string; name: string }
)

type Component = { id: string; description: Words }

export type Activity = {
  objectType: 'Activity'
  id: string
  definition?: {
    name?: Words
    description?: Words
    type: string
    interactionType?: string
    correctResponsesPattern?: readonly string[]
    choices?: readonly Component[]
    scale?: readonly Component[]
  }
}

export type Statement = {
  id: string
  actor: Agent
  verb: { id: string; display: Words }
  object: Activity
  result?: {
    completion?: boolean
    response?: string
    duration?: string
    score?: { scaled: number; raw: number; min: number; max: number }
  }
  context: {
    registration: string
    platform: string
    contextActivities: { parent?: readonly Activity[]; grouping: readonly Activity[] }
  }
  timestamp: string
}

/** Verbs of ADL, which every record store knows. */
const verb = (name: string) => ({ id: `http://adlnet.gov/expapi/verbs/${name}`, display: { [LOCALE]: name } })
export const VERBS = {
  experienced: verb('experienced'),
  answered: verb('answered'),
  scored: verb('scored'),
  completed: verb('completed'),
} as const
export type Occasion = keyof typeof VERBS

const ACTIVITIES = 'http://adlnet.gov/expapi/activities'
export const TYPES = {
  journey: `${ACTIVITIES}/course`,
  lift: `${ACTIVITIES}/lesson`,
  question: `${ACTIVITIES}/cmi.interaction`,
} as const

/** The language of an author's text is unknown. */
export const inAnyLanguage = (text: string): Words => ({ und: text })

/** An ISO 8601 duration with hundredths of a second, the precision at which the standard compares. */
export const durationOf = (milliseconds: number): string => `PT${Number((milliseconds / 1000).toFixed(2))}S`
