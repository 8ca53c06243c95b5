import { Link, useLocation } from '@remix-run/react'
import type { Place } from '#app/domain/access/navigation.ts'
import { Icon, type IconName } from './icons.tsx'

type Entry = { label: string; to: string; icon: IconName; within: RegExp }

const ENTRIES: Record<Place, Entry> = {
  dashboard: {
    label: 'Dashboard',
    to: '/',
    icon: 'home',
    within: /^\/(learner|todo)?$|^\/tenants/,
  },
  sponsoring: {
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
    within: /^\/settings\/(company|messages)/,
  },
  testing: { label: 'Testing', to: '/testing', icon: 'testing', within: /^\/testing/ },
}
const GROUP: readonly Place[] = ['journeys', 'create_journey']

export function SideNavigation({ places }: { places: readonly Place[] }) {
  const group = places.filter((place) => GROUP.includes(place))
  return (
    <ul className="nav-list">
      {places.map((place) => {
        if (!GROUP.includes(place)) return <Item key={place} place={place} />
        if (place !== 'journeys') return null
        return (
          <li key="group">
            <span className="nav-group">LLJs</span>
            <ul className="nav-list" aria-label="LLJs">
              {group.map((one) => (
                <Item key={one} place={one} />
              ))}
            </ul>
          </li>
        )
      })}
    </ul>
  )
}

function Item({ place }: { place: Place }) {
  const { label, to, icon, within } = ENTRIES[place]
  const current = within.test(useLocation().pathname)
  return (
    <li>
      <Link className="nav-link" to={to} prefetch="intent" aria-current={current ? 'page' : undefined}>
        <Icon name={icon} />
        {label}
      </Link>
    </li>
  )
}
