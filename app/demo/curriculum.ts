/** What the demo's journeys teach. */

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

export type DemoLift = {
  title: string
  markdown: string
  question: string
  /** The first option is the right one; each says what follows from it. */
  options: readonly (readonly [text: string, feedback: string])[]
  /** Asks for a commitment too. */
  commitment?: string
}

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
  /** Where it belongs; none means the whole tenant. */
  sub_tenant?: string
  /** The first of the company's learners who takes part; without it, the very first. */
  first_learner?: number
  /** Reminds after two days, and each lift closes after five. */
  is_strict?: true
  /** Forms before and after. */
  is_assessed?: true
  /** Of whom these are the sponsor's, by the address of the sponsor. */
  sponsored?: { by: string; from: number; to: number }
}

const LEADING: readonly DemoLift[] = [
  {
    title: 'The first one-to-one',
    markdown:
      'Your first one-to-one sets the tone for a year. **Ask more than you tell.**\n\n- What is going well that we should not change?\n- What slows you down?\n- What do you want to be better at by summer?\n\nWrite the answers down while they speak. It shows that they count.',
    question: 'A colleague says "everything is fine". What do you do?',
    options: [
      [
        'Ask for one thing they would change tomorrow',
        'Yes. A small, concrete question is easier to answer than a big one.',
      ],
      ['Thank them and move to your own points', 'You would lose the only half hour that is theirs.'],
      ['Tell them what others have complained about', 'That makes the next "fine" even shorter.'],
    ],
  },
  {
    title: 'Feedback within a day',
    markdown:
      'Feedback is worth most while the moment is still warm.\n\n1. Say what you **saw**.\n2. Say what it **did**.\n3. Ask what they **think**.\n\n> "You called the customer before the delay. They stayed calm. How did you decide to call?"',
    question: 'Which sentence is feedback somebody can use?',
    options: [
      [
        '"You let two people finish before you answered, and the meeting got shorter."',
        'Right: what you saw, and what it did.',
      ],
      ['"Great job today!"', 'Kind, but nobody knows what to do again tomorrow.'],
      ['"You should be more professional."', 'A judgement, not something you saw.'],
    ],
    commitment: 'What will you try in your next conversation?',
  },
  {
    title: 'Hand over the outcome, not the steps',
    markdown:
      'When you hand over work, describe the **result and the limits**, and leave the way to them. You find out what they can do; they find out that you trust them.',
    question: 'You hand over the weekly plan for the first time. What do you agree on?',
    options: [
      ['What it must achieve, by when, and what must not happen', 'Exactly. The way there is theirs.'],
      ['Every step, so that nothing goes wrong', 'Then it is still your plan, with somebody else typing.'],
      ['Nothing, they will ask', 'Freedom without limits is not trust, it is luck.'],
    ],
  },
  {
    title: 'The difficult conversation',
    markdown: 'Start with the fact, name the effect, and stop talking. **Silence does half of the work.**',
    question: 'What is the best first sentence?',
    options: [
      [
        '"The report was late three times, and the driver waited each time."',
        'A fact and its effect. Now wait.',
      ],
      ['"We need to talk about your attitude."', 'An attitude cannot be changed by Friday; a date can.'],
      ['"Some people feel that you are unreliable."', 'Nobody can answer "some people".'],
    ],
  },
]

const LOADING: readonly DemoLift[] = [
  {
    title: 'Three looks before you lift',
    markdown: 'Look at the **load**, the **way** and the **place**. Three looks take four seconds.',
    question: 'The way is clear, the place is free, the load has no label. You…',
    options: [
      ['find out its weight first', 'Right. The first look is the one most often skipped.'],
      ['lift it carefully', 'Carefully is not a weight.'],
    ],
  },
]

const CUSTOMER: readonly DemoLift[] = [
  {
    title: 'Call before they call you',
    markdown: 'A delay that you announce is a service. A delay that they discover is a complaint.',
    question: 'The lorry will be forty minutes late. When do you call?',
    options: [
      ['Now', 'Yes: the earlier they know, the more they can still change.'],
      ['When it is certain', 'By then they have looked at the clock themselves.'],
      ['When it has arrived', 'That call is an apology.'],
    ],
  },
  {
    title: 'Say what you can do',
    markdown:
      '"I can have it there by noon" instead of "we cannot deliver this morning". **Same fact, other end.**',
    question: 'Which answer says what you can do?',
    options: [
      ['"Tomorrow at eight it is the first one out."', 'Right.'],
      ['"Today is impossible, sorry."', 'True, and the customer is where they were.'],
    ],
  },
]

const HANDOVER: readonly DemoLift[] = [
  {
    title: 'Situation first',
    markdown:
      '**S**ituation, **B**ackground, **A**ssessment, **R**ecommendation. One sentence each, in this order, at every bed.',
    question: 'Which sentence opens a hand-over?',
    options: [
      ['"Mr Ellis, bed 4: new shortness of breath since six."', 'Yes: who, where, what is new.'],
      ['"He came in on Tuesday with his daughter."', 'That is background. It comes second.'],
      ['"I would keep an eye on bed 4."', 'That is a recommendation, without the reason.'],
    ],
  },
  {
    title: 'Read it back',
    markdown:
      'The person who takes over says the critical part back in their own words. It takes ten seconds and finds one error in twelve.',
    question: 'Who reads back?',
    options: [
      ['The one who takes over', 'Right: hearing it is not yet having it.'],
      ['The one who hands over', 'They know it already.'],
    ],
  },
]

const WELCOME: readonly DemoLift[] = [
  {
    title: 'Hello, and one thing to try',
    markdown:
      'Welcome! A lift takes about three minutes. Read, answer, and see at once what others would have said.',
    question: 'When is a good moment for a lift?',
    options: [
      ['When I can use it the same day', 'That is when it sticks.'],
      ['At the end of the week, all at once', 'Possible, but little of it will be left on Monday.'],
    ],
  },
]

const SIX_WEEKS: readonly DemoLift[] = [
  {
    title: 'Ask first',
    markdown:
      'The first question of a talk decides how long the answer is. **Open questions begin with what or how.**',
    question: 'Which question opens a talk?',
    options: [
      ['What slowed you down', 'Right: it cannot be answered by yes or no.'],
      ['Is all fine', 'It can be answered by yes, and it will be.'],
    ],
  },
  {
    title: 'Listen to the end',
    markdown:
      'People stop speaking eleven seconds after they are interrupted. **Count to three before you answer.**',
    question: 'Somebody pauses. You...',
    options: [
      ['count to three', 'Yes. Often the important part comes then.'],
      ['finish their sentence', 'Then it is your sentence.'],
    ],
    commitment: 'What will you try in your next talk?',
  },
  {
    title: 'Say what you saw',
    markdown: 'Feedback is what you **saw** and what it **did**. Everything else is an opinion.',
    question: 'Which one is feedback?',
    options: [
      ['You called before the delay', 'Right: something you saw.'],
      ['Great attitude', 'Kind, and nobody knows what to do again.'],
    ],
  },
  {
    title: 'Hand over the outcome',
    markdown: 'Describe the result and the limits. **Leave the way to them.**',
    question: 'What do you agree on first?',
    options: [
      ['The result', 'Exactly.'],
      ['Every step', 'Then it is still your work.'],
    ],
  },
  {
    title: 'Say no in time',
    markdown: 'A no on Monday is help. **A no on Friday is a problem.**',
    question: 'You cannot make it. When do you say so?',
    options: [
      ['At once', 'Yes: the earlier, the more can still be changed.'],
      ['When asked', 'By then somebody has planned with it.'],
    ],
  },
  {
    title: 'Look back',
    markdown: 'Six weeks, six ideas. **One of them is yours by now.**',
    question: 'Which one do you keep?',
    options: [
      ['Asking first', 'It is the shortest of all, and the one that lasts.'],
      ['Listening', 'Most people keep this one.'],
      ['Saying no', 'Brave.'],
    ],
  },
]

const journey = (
  name: string,
  category: string,
  status: DemoJourney['status'],
  plan: Omit<DemoJourney, 'name' | 'category' | 'status'>,
): DemoJourney => ({ name, category, status, ...plan })

/** By the company's name. */
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
