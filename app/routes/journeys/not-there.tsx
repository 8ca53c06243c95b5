import type { ReactNode } from 'react'
import { Link } from '#app/ui/link.tsx'

/** The page for something that was removed, or never existed. */
export function NotThere({ what, back, children }: { what: string; back: string; children: ReactNode }) {
  return (
    <div className="stack">
      <p>{what} Someone removed it, or the link is old.</p>
      <p>
        <Link to={back}>{children}</Link>
      </p>
    </div>
  )
}
