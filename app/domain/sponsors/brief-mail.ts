/** The texts of mails to sponsors. */
import { mailOf } from '../text/letter.ts'
import { reasonsOf, type SponsorBrief } from './brief.ts'

const MAX = 20

type Reader = { first_name: string; company: string; origin: string; unsubscribe?: string | undefined }
const greeting = ({ first_name }: Reader) => (first_name ? `Hi ${first_name},` : 'Hello,')
const counted = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`

export function welcomeMail(
  reader: Reader,
  journey: { id: number; name: string },
  learners: readonly string[],
) {
  const more = learners.length - MAX
  const names = [...learners.slice(0, MAX), ...(more > 0 ? [`and ${more} more`] : [])]
  return mailOf(`You are a sponsor in “${journey.name}”`, {
    words: `${greeting(reader)}

“${journey.name}” has begun, and you look after:
${names.map((name) => `- ${name}`).join('\n')}

See how far they are, read what they share with you, and send a few words.`,
    button: { label: 'See your learners', url: `${reader.origin}/sponsors-journey/${journey.id}` },
    why: `You’re getting this e-mail because you are a sponsor in “${journey.name}” of ${reader.company}.`,
    unsubscribe: reader.unsubscribe,
  })
}

export function briefMail(reader: Reader, { data, total, assessments }: SponsorBrief) {
  const { origin, company, unsubscribe } = reader
  const people = data
    .slice(0, MAX)
    .flatMap(({ journey, user_id, name, ...item }) => [
      '\n- ',
      { label: name, url: `${origin}/sponsors-journey/${journey.id}?learner=${user_id}` },
      ` (${journey.name}): ${reasonsOf(item).join(', ')}`,
    ])
  const forms = assessments.slice(0, MAX).flatMap(({ name, learner, journey, assessment_id }) => [
    '\n- ',
    {
      label: `${name}: how you see ${learner.name}`,
      url: `${origin}/lljs/${journey.id}/assessments/${learner.id}?assessment=${assessment_id}`,
    },
  ])
  const subject =
    total === 0
      ? counted(assessments.length, 'assessment waits', 'assessments wait')
      : counted(total, 'of your learners needs attention', 'of your learners need attention')
  return mailOf(subject, {
    words: [
      greeting(reader),
      ...(people.length > 0 ? ['\n\nWho needs your attention this week:', ...people] : []),
      ...(total > MAX ? [`\n\nAnd ${total - MAX} more.`] : []),
      ...(forms.length > 0 ? ['\n\nAssessments that wait for you:', ...forms] : []),
    ],
    button: { label: 'See your learners', url: `${origin}/sponsors-journey` },
    why: [
      `You’re getting this e-mail on Mondays because you sponsor learners at ${company}. `,
      { label: 'Change this setting', url: `${origin}/settings/privacy` },
    ],
    unsubscribe,
  })
}
