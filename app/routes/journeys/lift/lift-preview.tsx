/**
 * A preview of a lift: the message, and the page behind its link, as wide as a phone. Nothing in it is interactive.
 */

import { fillTemplate, withLink } from '#app/domain/journeys/template.ts'
import { LiftScreen } from '#app/routes/lift/lift-screen.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import type { LiftPreviewPage } from './lift-preview.server.ts'

/** React 18 does not know this attribute, but every browser does. */
const INERT = { inert: '' }

export function LiftPreview({ page, message }: { page: LiftPreviewPage; message: string }) {
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
      <h2 id="phone">On a phone</h2>
      <p className="people-mail">As saved now, for a learner called Kim with the sponsor Alex.</p>
      <div className="phone">
        <p className="phone-message">{said}</p>
        <div className="phone-page" {...INERT}>
          <LiftScreen lift={lift} blocks={blocks} heading="h3" />
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
