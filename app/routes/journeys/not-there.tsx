import type { ReactNode } from 'react'
import { Link } from '#app/ui/link.tsx'

/** What the address names was removed, or never was. */
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
