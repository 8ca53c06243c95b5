import { Link } from '#app/ui/link.tsx'

/** A changed or removed number still receives the codes of the second factor. */
export const CodesGoTo = ({ number }: { number: string }) => (
  <p>
    Sign-in codes still go to {number}. Change that under <Link to="/settings/security">How you sign in</Link>
    .
  </p>
)
