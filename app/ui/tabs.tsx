import { Link, NavLink } from '@remix-run/react'

/** `isAbove`: of a page that is reached from there, at an address of its own. */
type Page = { to: string; label: string; isAbove?: boolean }

/** Pages of one thing, beside each other under its title; `label` says of what. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Page[] }) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map(({ to, label, isAbove }) => {
        const Tab = isAbove ? Link : NavLink
        return (
          <Tab key={to} className="tab" to={to} prefetch="intent" aria-current={isAbove}>
            {label}
          </Tab>
        )
      })}
    </nav>
  )
}
