import { useLocation } from '@remix-run/react'
import type { NavigationItem } from '#app/domain/access/navigation.ts'
import { Icon, type IconName } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'

type Entry = { label: string; to: string; icon: IconName; within: RegExp }

const ENTRIES: Record<NavigationItem, Entry> = {
  dashboard: {
    label: 'Dashboard',
    to: '/',
    icon: 'home',
    within: /^\/(learner|todo)?$|^\/tenants/,
  },
  your_learners: {
    label: 'Your learners',
    to: '/sponsors-journey',
    icon: 'sponsoring',
    within: /^\/sponsors-journey/,
  },
  users: { label: 'User Management', to: '/users', icon: 'users', within: /^\/users/ },
  journeys: {
    label: 'Manage LLJs',
    to: '/lljs/manage',
    icon: 'journeys',
    within: /^\/lljs\/(?!manage\/new)/,
  },
  create_journey: {
    label: 'Create New LLJ',
    to: '/lljs/manage?create=true',
    icon: 'plus',
    within: /^\/lljs\/manage\/new/,
  },
  analytics: { label: 'Analytics', to: '/analytics', icon: 'analytics', within: /^\/analytics/ },
  settings: {
    label: 'Settings',
    to: '/settings/company',
    icon: 'settings',
    within: /^\/settings\/(audit|company|messages)/,
  },
  testing: { label: 'Testing', to: '/testing', icon: 'testing', within: /^\/testing/ },
}
const GROUP: readonly NavigationItem[] = ['journeys', 'create_journey']

export function SideNavigation({ items }: { items: readonly NavigationItem[] }) {
  const group = items.filter((item) => GROUP.includes(item))
  return (
    <ul className="nav-list">
      {items.map((item) => {
        if (!GROUP.includes(item)) return <Item key={item} item={item} />
        if (item !== 'journeys') return null
        return (
          <li key="group">
            <span className="nav-group">LLJs</span>
            <ul className="nav-list" aria-label="LLJs">
              {group.map((one) => (
                <Item key={one} item={one} />
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

function Item({ item }: { item: NavigationItem }) {
  const { label, to, icon, within } = ENTRIES[item]
  const current = within.test(useLocation().pathname)
  return (
    <li>
      <Link className="nav-link" to={to} aria-current={current ? 'page' : undefined}>
        <Icon name={icon} />
        {label}
      </Link>
    </li>
  )
}
