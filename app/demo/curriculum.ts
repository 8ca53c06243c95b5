import { CUSTOMER, type DemoLift, HANDOVER, LEADING, LOADING, SIX_WEEKS, WELCOME } from './lessons.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export type DemoJourney = {
  name: string
  description: string
  category: string
  status: 'draft' | 'scheduled' | 'active' | 'paused' | 'completed'
  /** Days from today to its start. */
  starts_in: number
  days_between: number
  learners: number
  lifts: readonly DemoLift[]
  /** The sub-tenant it belongs to; without one, it belongs to the whole tenant. */
  sub_tenant?: string
  /** Index of the first of the company's learners who takes part; the very first by default. */
  first_learner?: number
  /** Sends reminders after two days, and closes each lift after five. */
  is_strict?: true
  /** Forms before and after. */
  is_assessed?: true
  /** Which learners this sponsor follows; `by` is the sponsor's address. */
  sponsored?: { by: string; from: number; to: number }
}

const journey = (
  name: string,
  category: string,
  status: DemoJourney['status'],
  plan: Omit<DemoJourney, 'name' | 'category' | 'status'>,
): DemoJourney => ({ name, category, status, ...plan })

/** By company name. */
export const CURRICULUM: Readonly<Record<string, readonly DemoJourney[]>> = {
  'Northwind Logistics': [
    journey('Leading your first team', 'Leadership', 'active', {
      description:
        'Four weeks for people who lead for the first time: one idea, one question, one try a week.',
      starts_in: -16,
      days_between: 7,
      learners: 14,
      lifts: LEADING,
      sponsored: { by: 'sam@northwind.example', from: 4, to: 10 },
    }),
    journey('Safe loading, every time', 'Safety', 'draft', {
      description: 'Short reminders for the loading bays.',
      starts_in: 10,
      days_between: 3,
      learners: 0,
      lifts: LOADING,
    }),
    journey('Customer first', 'Customer care', 'scheduled', {
      description: 'For everyone who talks to customers.',
      starts_in: 7,
      days_between: 4,
      learners: 9,
      lifts: CUSTOMER,
      sub_tenant: 'Northwind Americas',
    }),
    journey('Winter roads', 'Safety', 'paused', {
      description: 'Paused until the first frost.',
      starts_in: -9,
      days_between: 5,
      learners: 6,
      lifts: LOADING,
      sub_tenant: 'Northwind Europe',
    }),
    journey('Your first week', 'Onboarding', 'completed', {
      description: 'What everyone should know by Friday.',
      starts_in: -60,
      days_between: 2,
      learners: 8,
      lifts: [...WELCOME, ...CUSTOMER],
    }),
  ],
  'Harbor Health': [
    journey('Hand-over without gaps', 'Patient safety', 'active', {
      description: 'Structured hand-over, one step a week.',
      starts_in: -10,
      days_between: 6,
      learners: 10,
      lifts: HANDOVER,
    }),
  ],
  'Liftwell Testing': [
    journey('A first lift', 'Try-outs', 'draft', {
      description: 'Launch it and look at the Testing area: every message lands there.',
      starts_in: 0,
      days_between: 0,
      learners: 2,
      lifts: WELCOME,
    }),
    journey('Six weeks as a new lead', 'Onboarding', 'scheduled', {
      description: 'It begins tomorrow. Set the clock forward on Testing and see it happen.',
      starts_in: 1,
      days_between: 7,
      learners: 6,
      first_learner: 2,
      lifts: SIX_WEEKS,
      ...{ is_strict: true, is_assessed: true },
      sponsored: { by: 'toni@testing.example', from: 0, to: 6 },
    }),
  ],
}
