/** The home page of a person: what they work on, what they learn, and the learners they sponsor. */
import { z } from 'zod'
import { Figures } from '../analytics/figures.ts'
import { OwedForm } from '../assessments/form.ts'
import { Commitment } from '../lifts/commitment.ts'
import { LearnerJourneys, Todo } from '../participants/learning.ts'
import { UnansweredLifts } from '../sending/reminding.ts'
import { BriefItem } from '../sponsors/brief.ts'
import { SponsoredJourneys } from '../sponsors/sponsored.ts'

const many = z.number().int()
const named = z.object({ id: z.number().int(), name: z.string() })

/** Larger numbers are shown as "and more". */
export const MAX_COUNTED = 10_000

const JourneyTile = named.extend({ status: z.string(), lifts: many, learners: many })

export const Work = z.object({
  /** Figures of what was due in each of the last four weeks, the current one last. */
  weeks: z.array(Figures.extend({ week: z.string() })),
  /** Messages planned until the end of the company's day; counted up to one more than the maximum. */
  leaving: z.object({
    lifts: many,
    reminders: many,
    data: z.array(
      z.object({
        ...{ id: z.number().int(), title: z.string(), journey: named, people: many },
        first_at: z.string(),
      }),
    ),
  }),
  /**
   * Learners with a required lift that has waited for more than three days and can still be done; counted likewise.
   */
  behind: z.object({ people: many, journeys: z.array(named.extend({ people: many })) }),
  running: z.array(JourneyTile),
  /** Counted likewise. */
  running_total: many,
  drafts: z.array(JourneyTile),
  drafts_total: many,
  unanswered: UnansweredLifts.shape.data,
})
export type Work = z.infer<typeof Work>

/** The first steps of a company, done as soon as their result exists. */
export const FIRST_STEPS = ['people', 'journey', 'lift', 'learners', 'launch', 'answer'] as const
export const FirstStep = z.object({ step: z.enum(FIRST_STEPS), is_done: z.boolean() })
export type FirstStep = z.infer<typeof FirstStep>

export const Today = z.object({
  /** Null for people who are neither administrator nor author here. */
  work: Work.nullable(),
  /** Null if all are done, or if they are not for this person. */
  first_steps: z.array(FirstStep).nullable(),
  learning: z.object({
    todo: Todo.shape.data,
    owed: z.array(OwedForm),
    commitments: z.array(Commitment),
    journeys: LearnerJourneys.shape.data,
  }),
  sponsoring: z.object({
    journeys: SponsoredJourneys.shape.data,
    brief: z.array(BriefItem),
    /** The number of learners who need attention; the list has those with most reasons. */
    total: many,
  }),
})
export type Today = z.infer<typeof Today>
