/** A sample of every kind of message, made by the same functions as real ones. */

import { signInMail } from '../account/sign-in-mail.ts'
import { figuresOf } from '../analytics/figures.ts'
import { journeyCode } from '../consent/reading.ts'
import * as replies from '../consent/replies.ts'
import { askInText } from '../lifts/text-question.ts'
import { introduction } from '../sending/lift-text.ts'
import { composeMessage, linkOfText, reasonOf, testOf } from '../sending/message.ts'
import { briefMail, welcomeMail } from '../sponsors/brief-mail.ts'
import { commitmentMail, commitmentText } from '../sponsors/commitment-words.ts'
import { encouragementMail, encouragementText } from '../sponsors/words.ts'
import { summaryMail } from '../summaries/week.ts'
import * as textReplies from '../text-answers/replies.ts'
import { invitations, notices } from './notice-samples.ts'
import {
  ALEX,
  JOURNEY,
  LIFT,
  mail,
  QUESTION,
  SAID,
  type Sample,
  type Setting,
  SPONSOR,
  text,
} from './sample-world.ts'

export const samplesOf = (setting: Setting): Sample[] => [
  ...lifts(setting),
  ...sponsoring(setting),
  summary(setting),
  ...invitations(setting),
  ...notices(setting),
  ...replied(setting),
  ...setting.signIn.map(({ id, title, when, channel, subject, ...said }) => ({
    ...{ id, title, when, channel },
    ...(channel === 'email' ? signInMail(subject, said) : { subject: '', text: said.body }),
  })),
]

function lifts({ company, origin }: Setting): Sample[] {
  const link = linkOfText(origin, { lift_id: 1, id: 1 })
  const values = { first_name: ALEX.first_name, journey: JOURNEY, lift: LIFT.title, sponsor: 'Sam', link }
  const draft = { tenant_id: '', key: '', to: '', attempt: 1, content: LIFT, values }
  const about = { why: reasonOf(company, JOURNEY), unsubscribe: `${origin}/unsubscribe/example` }
  const asMail = { ...draft, channel: 'email', about } as const
  const asText = { ...draft, channel: 'sms' } as const
  const encouragement = { said: SAID, sponsor: SPONSOR, journey: JOURNEY, url: link }
  return [
    { ...composeMessage(asMail), ...mail('lift', 'Lift', 'A lift is due.') },
    {
      ...composeMessage({ ...asMail, isReminder: true }),
      ...mail('reminder', 'Reminder', 'A lift is still unanswered.'),
    },
    {
      ...encouragementMail({ ...encouragement, ...about }),
      ...mail('encouragement', 'Encouragement', 'A sponsor writes to their learner.'),
    },
    {
      ...composeMessage({ ...asText, before: introduction(company) }),
      ...text('lift-first-text', 'Lift, first text', 'A number gets its first text.'),
    },
    {
      ...composeMessage({ ...asText, after: askInText(QUESTION) }),
      ...text('lift-question', 'Lift with one question', 'A lift is due whose question a text can ask.'),
    },
    { ...composeMessage(asText), ...text('lift-text', 'Lift', 'A lift is due.') },
    {
      ...composeMessage({ ...asText, isReminder: true }),
      ...text('reminder-text', 'Reminder', 'A lift is still unanswered.'),
    },
    {
      ...text('encouragement-text', 'Encouragement', 'A sponsor writes to their learner.'),
      ...{ subject: '', text: encouragementText(encouragement) },
    },
    {
      ...composeMessage({ ...asText, content: testOf(LIFT) }),
      ...text('test-text', 'Test of a lift', 'An author tries a lift out.'),
    },
  ]
}

function sponsoring({ company, origin }: Setting): Sample[] {
  const unsubscribe = `${origin}/unsubscribe/example`
  const reader = { first_name: 'Sam', company, origin, unsubscribe }
  const journey = { id: 1, name: JOURNEY }
  const item = { journey, overdue: 0, late_commitments: 0, to_acknowledge: 0, to_score: 0, is_quiet: false }
  const data = [
    { ...item, user_id: 1, name: 'Alex Ames', overdue: 2, to_acknowledge: 1 },
    { ...item, user_id: 2, name: 'Kim Kaur', to_score: 1 },
  ]
  const said = {
    whats: ['call Bob at Acme'],
    first_name: ALEX.first_name,
    journey: JOURNEY,
    company,
    origin,
    unsubscribe,
  }
  return [
    {
      ...welcomeMail(reader, journey, ['Alex Ames', 'Kim Kaur']),
      ...mail(
        'sponsor-welcome',
        'Sponsor of a journey',
        'A journey begins, or somebody becomes a sponsor in it.',
      ),
    },
    {
      ...briefMail(reader, { data, total: data.length, assessments: [] }),
      ...mail(
        'sponsor-brief',
        'Weekly e-mail to a sponsor',
        'Mondays, if a learner needs their sponsor’s attention.',
      ),
    },
    { ...commitmentMail(said), ...mail('commitment', 'Commitment', 'It is the day of a commitment.') },
    {
      ...text('commitment-text', 'Commitment', 'It is the day of a commitment.'),
      ...{ subject: '', text: commitmentText(said) },
    },
  ]
}

function summary({ company, origin }: Setting): Sample {
  const reader = { first_name: 'Robin', company, origin, unsubscribe: `${origin}/unsubscribe/example` }
  const counts = { ...NONE, assigned: 60, asked: 60, accepted: 58, failed: 2, responded: 45, completed: 42 }
  const figures = figuresOf({ ...counts, delivered: 58, opened: 50, opened_and_delivered: 50 })
  const journeys = [
    { id: 1, name: JOURNEY, figures, coming: 14 },
    { id: 2, name: 'First weeks', figures: null, coming: 6 },
  ]
  return {
    ...summaryMail(reader, { from: '2026-11-16', to: '2026-11-22' }, journeys),
    ...mail(
      'weekly-summary',
      'Weekly e-mail about journeys',
      'Mondays, to administrators and authors who ask for it.',
    ),
  }
}

const NONE = { unknown: 0, suppressed: 0, expired: 0, pending: 0 }

function replied({ company, support }: Setting): Sample[] {
  const reply = (id: string, title: string, when: string, words: string) => ({
    ...text(id, title, when),
    ...{ subject: '', text: words },
  })
  return [
    reply(
      'text-understood',
      'Answer understood',
      'Somebody replies to a question, here with B.',
      textReplies.understood(company, LIFT.title, QUESTION, 'Talking'),
    ),
    reply(
      'text-not-understood',
      'Answer not understood',
      'Somebody replies with something else.',
      textReplies.notUnderstood(company, LIFT.title, QUESTION),
    ),
    reply(
      'texts-confirmed',
      'Texts confirmed',
      'Somebody asks for texts, or replies START for the first time.',
      replies.confirmed(company),
    ),
    reply('texts-stopped', 'Answer to STOP', 'Somebody replies STOP.', replies.stopped(company)),
    reply(
      'texts-started',
      'Answer to START',
      'Somebody who had stopped replies START.',
      replies.started(company),
    ),
    reply(
      'texts-help',
      'Answer to HELP',
      'Somebody replies HELP.',
      replies.help(company, support, [journeyCode(1)]),
    ),
    reply(
      'journey-left',
      'Answer to STOP with a code',
      'Somebody leaves one journey.',
      replies.left(company, JOURNEY),
    ),
    reply(
      'journey-left-already',
      'Answer to STOP with the code of a journey that sends nothing more',
      'Somebody leaves a journey again, or one that is archived.',
      replies.leftAlready(company, JOURNEY),
    ),
  ]
}
