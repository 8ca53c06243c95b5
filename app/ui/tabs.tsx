import { NavLink } from '@remix-run/react'

/** Pages of one thing, beside each other under its title; `label` says of what. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly { to: string; label: string }[] }) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map(({ to, label }) => (
        <NavLink key={to} className="tab" to={to} prefetch="intent">
          {label}
        </NavLink>
      ))}
    </nav>
  )
}
