/** The details of a journey for people who can only read them. */

import { CHANNEL_WORDS } from '#app/domain/journeys/channel.ts'
import type { Journey } from '#app/domain/journeys/journey.ts'
import { dayInWords, timeOfDay } from '#app/domain/text/date-format.ts'
import { Facts } from '#app/ui/facts.tsx'
import { LATE_CHOICES, ZONE_MODES } from './journey-fields.tsx'

type Shown = Pick<
  Journey,
  | 'category'
  | 'description'
  | 'start_on'
  | 'default_send_time'
  | 'send_days'
  | 'timezone_mode'
  | 'timezone'
  | 'channels'
  | 'reminder_policy'
  | 'late_joiners'
  | 'grace_days'
>

export function JourneyFacts({ journey }: { journey: Shown }) {
  const reminders = journey.reminder_policy.map(
    ({ after_hours, channel }) =>
      `${after_hours} ${after_hours === 1 ? 'hour' : 'hours'} after the lift, by ${CHANNEL_WORDS[channel]}`,
  )
  return (
    <Facts
      facts={{
        Category: journey.category,
        Description: journey.description,
        'Starts on': journey.start_on ? dayInWords(journey.start_on) : 'The day of the launch',
        'Usual time of day': timeOfDay(journey.default_send_time),
        'Sending days': journey.send_days.join(', '),
        'Time zone': ZONE_MODES.find(({ value }) => value === journey.timezone_mode)?.label,
        'Journey time zone': journey.timezone,
        'Learners are reached by': journey.channels.map((channel) => CHANNEL_WORDS[channel]).join(', '),
        Reminders: reminders.join('; ') || 'None',
        'New learners, after the launch': LATE_CHOICES.find(({ value }) => value === journey.late_joiners)
          ?.label,
        'Days to answer after the end': String(journey.grace_days),
      }}
    />
  )
}
