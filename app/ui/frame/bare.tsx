import type { ReactNode } from 'react'
import { Mark } from '#app/ui/icons.tsx'

type BareProps = {
  /** The company's logo; our own without one. */
  logo?: string | null
  name?: string
  /** Pages to read (a lift) are wider than a card to fill in. */
  reading?: boolean
  children: ReactNode
}

/** A page with only a logo and a name around it: sign-in, a lift, errors of strangers. */
export function Bare({ logo, name = 'Liftwell', reading = false, children }: BareProps) {
  return (
    <div className="bare" data-reading={reading ? '' : undefined}>
      <header className="bare-brand">
        {logo ? <img className="brand-logo" src={logo} alt="" width={40} height={40} /> : <Mark size={40} />}
        <span className="brand-name">{name}</span>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
