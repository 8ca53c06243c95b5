import { Link, NavLink } from '@remix-run/react'

/** `isAbove`: the current page is a subpage of this tab, with its own URL. */
type Page = { to: string; label: string; isAbove?: boolean }

/** Tabs of the pages of one thing, under its title; `label` names the thing. */
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
