/** A lift that was sent and comes back no more: its editor's place, with nothing to change. */
import { Link } from '@remix-run/react'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'

export function RetiredLift({ lift, closeHref }: { lift: Lift; closeHref: string }) {
  return (
    <Modal title={`Retired lift “${lift.title}”`} closeHref={closeHref}>
      <p>What was sent of it stays as it is. It is planned for nobody any more, and no longer changed.</p>
      <p>
        <Link to={`/lift/t/${lift.id}`} target="_blank">
          Preview as on a phone
        </Link>
      </p>
      <div className="dialog-actions">
        <ButtonLink to={closeHref} variant="soft" color="gray">
          Close
        </ButtonLink>
      </div>
    </Modal>
  )
}
