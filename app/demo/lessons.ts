export type DemoLift = {
  title: string
  markdown: string
  question: string
  /** The first option is right; each has its own feedback. */
  options: readonly (readonly [text: string, feedback: string])[]
  /** Also asks for a commitment, with this text. */
  commitment?: string
}

export const LEADING: readonly DemoLift[] = [
  {
    title: 'The first one-to-one',
    markdown:
      'Your first one-to-one sets the tone for a year. **Ask more than you tell.**\n\n- What is going well that we should not change?\n- What slows you down?\n- What do you want to be better at by summer?\n\nWrite the answers down while they speak. It shows that they count.',
    question: 'A colleague says "everything is fine". What do you do?',
    options: [
      [
        'Ask for one thing they would change tomorrow',
        'A small, concrete question is easier to answer than a big one.',
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
        'It says what you saw, and what it did.',
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

export const LOADING: readonly DemoLift[] = [
  {
    title: 'Three looks before you lift',
    markdown: 'Look at the **load**, the **way** and the **place**. Three looks take four seconds.',
    question: 'The way is clear, the place is free, the load has no label. You…',
    options: [
      ['find out its weight first', 'The first look is the one most often skipped.'],
      ['lift it carefully', 'Carefully is not a weight.'],
    ],
  },
]

export const CUSTOMER: readonly DemoLift[] = [
  {
    title: 'Call before they call you',
    markdown: 'A delay that you announce is a service. A delay that they discover is a complaint.',
    question: 'The lorry will be forty minutes late. When do you call?',
    options: [
      ['Now', 'The earlier they know, the more they can still change.'],
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
      ['"Tomorrow at eight it is the first one out."', 'It says when, and not why not.'],
      ['"Today is impossible, sorry."', 'True, and the customer is where they were.'],
    ],
  },
]

export const HANDOVER: readonly DemoLift[] = [
  {
    title: 'Situation first',
    markdown:
      '**S**ituation, **B**ackground, **A**ssessment, **R**ecommendation. One sentence each, in this order, at every bed.',
    question: 'Which sentence opens a hand-over?',
    options: [
      ['"Mr Ellis, bed 4: new shortness of breath since six."', 'It says who, where and what is new.'],
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
      ['The one who takes over', 'Hearing it is not yet having it.'],
      ['The one who hands over', 'They know it already.'],
    ],
  },
]

export const WELCOME: readonly DemoLift[] = [
  {
    title: 'Hello, and one thing to try',
    markdown:
      'Welcome! A lift takes about three minutes. Read, answer, and see at once whether you were right.',
    question: 'When is a good moment for a lift?',
    options: [
      ['When I can use it the same day', 'That is when it sticks.'],
      ['At the end of the week, all at once', 'Possible, but little of it will be left on Monday.'],
    ],
  },
]

export const SIX_WEEKS: readonly DemoLift[] = [
  {
    title: 'Ask first',
    markdown:
      'The first question of a talk decides how long the answer is. **Open questions begin with what or how.**',
    question: 'Which question opens a talk?',
    options: [
      ['What slowed you down', 'It cannot be answered by yes or no.'],
      ['Is all fine', 'It can be answered by yes, and it will be.'],
    ],
  },
  {
    title: 'Listen to the end',
    markdown:
      'People stop speaking eleven seconds after they are interrupted. **Count to three before you answer.**',
    question: 'Somebody pauses. You...',
    options: [
      ['count to three', 'Often the important part comes then.'],
      ['finish their sentence', 'Then it is your sentence.'],
    ],
    commitment: 'What will you try in your next talk?',
  },
  {
    title: 'Say what you saw',
    markdown: 'Feedback is what you **saw** and what it **did**. Everything else is an opinion.',
    question: 'Which one is feedback?',
    options: [
      ['You called before the delay', 'It is something you saw.'],
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
      ['At once', 'The earlier, the more can still be changed.'],
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
