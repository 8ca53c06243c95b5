import type { ReactNode } from 'react'
import { Mark } from '#app/ui/icons.tsx'

type BareProps = {
  /** Of the company; our own mark without one. */
  logo?: string | null
  name?: string
  /** A page that is read (a lift) is wider than a card that is filled in. */
  reading?: boolean
  children: ReactNode
}

/** A page with nothing around it but whose it is: sign-in, a lift, errors of strangers. */
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
