/** A lift that cannot be changed: it is retired, its journey has ended, or somebody else is the author. */
import type { Lift } from '#app/domain/lifts/lift.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Link } from '#app/ui/link.tsx'
import { useLiftAddress } from './address.ts'

export function RetiredLift({ lift }: { lift: Lift }) {
  const { schedule } = useLiftAddress()
  return (
    <div className="stack">
      {lift.status === 'retired' ? (
        <p>This lift is retired: messages already sent stay as they are, and nobody else gets it.</p>
      ) : (
        <p>You can read this lift, but not change it.</p>
      )}
      <p>
        <Link to={`/lift/t/${lift.id}`} target="_blank">
          Open the test page
        </Link>
      </p>
      <p>
        <ButtonLink to={schedule} variant="soft" color="gray">
          Back to the schedule
        </ButtonLink>
      </p>
    </div>
  )
}
