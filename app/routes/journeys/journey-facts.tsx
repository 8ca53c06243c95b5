/** The details of a journey for those who only read it. */
import type { Journey } from '#app/domain/journeys/journey.ts'
import { Facts } from '#app/ui/facts.tsx'

type Shown = Pick<
  Journey,
  'category' | 'description' | 'start_on' | 'default_send_time' | 'send_days' | 'timezone'
>

export function JourneyFacts({ journey }: { journey: Shown }) {
  return (
    <Facts
      facts={{
        Category: journey.category,
        Description: journey.description,
        'Starts on': journey.start_on ?? 'The day of the launch',
        'Usual time of day': journey.default_send_time,
        'Days on which lifts are sent': journey.send_days.join(', '),
        'Time zone': journey.timezone,
      }}
    />
  )
}
