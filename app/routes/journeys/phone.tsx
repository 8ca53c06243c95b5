/** A lift as it arrives: the message, and the page behind its link, as wide as a phone. A picture: nothing in it acts. */

import { fillTemplate, withLink } from '#app/domain/journeys/template.ts'
import { LiftScreen } from '#app/routes/lift/lift-screen.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import type { PhonePage } from './phone.server.ts'

/** Not a word of React 18's, but of every browser's. */
const INERT = { inert: '' }

export function Phone({ page, message }: { page: PhonePage; message: string }) {
  const { lift, blocks } = page
  const said = fillTemplate(withLink(message), {
    first_name: 'Kim',
    journey: lift.journey.name,
    lift: lift.title,
    sponsor: 'Alex',
    link: `https://…/lift/${lift.id}`,
  })
  return (
    <section className="phone-section stack" aria-labelledby="phone">
      <h3 id="phone">As on a phone</h3>
      <p className="people-mail">What is saved now; Kim and Alex stand for a learner and their sponsor.</p>
      <div className="phone">
        <p className="phone-message">{said}</p>
        <div className="phone-page" {...INERT}>
          <LiftScreen lift={lift} blocks={blocks} submissionKey="" heading="h4" />
        </div>
      </div>
      <div>
        <ButtonLink to={`/lift/t/${lift.id}`} variant="soft">
          Open the test page
        </ButtonLink>
      </div>
    </section>
  )
}
