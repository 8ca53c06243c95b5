import { useLocation, useNavigate } from '@remix-run/react'
import { navigationOf } from '#app/domain/access/navigation.ts'
import type { Told } from '#app/domain/notifications/notification.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'
import { Brand } from './brand.tsx'
import { LogOutLink } from './log-out.tsx'
import { NotificationsPopover } from './notifications-popover.tsx'
import { SideNavigation } from './side-navigation.tsx'

export function TopBar({ user, told }: { user: CurrentUser; told: Told | null }) {
  return (
    <header className="top-bar">
      <NavigationMenu user={user} />
      <div className="top-bar-brand">
        <Brand user={user} />
      </div>
      <HistoryButtons />
      <Badges user={user} />
      <div className="top-bar-end">
        <Switcher user={user} />
        <SubTenant user={user} />
        {told ? <NotificationsPopover told={told} /> : null}
        <Link className="profile-link" to="/settings/profile">
          <span className="avatar" aria-hidden="true">
            {initials(user)}
          </span>
          <span className="hidden-words">Your profile, {user.name}</span>
        </Link>
        <LogOutLink className="quiet-link log-out" />
      </div>
    </header>
  )
}

function Badges({ user }: { user: CurrentUser }) {
  return (
    <div className="badges">
      {user.is_super_admin ? <Badge tone="accent">SuperAdmin</Badge> : null}
      {user.is_admin && !user.is_super_admin ? <Badge>Admin</Badge> : null}
      {user.is_testing_tenant ? <TestingBadge user={user} /> : null}
    </div>
  )
}

/** The badge of the testing tenant, a link to the testing area for people who may use it. */
function TestingBadge({ user }: { user: CurrentUser }) {
  const badge = <Badge tone="warning">Testing Tenant</Badge>
  return user.is_admin && !user.should_enter_subtenant ? <Link to="/testing">{badge}</Link> : badge
}

/** The navigation menu on a phone. A new page closes it, because the page's key is its own. */
function NavigationMenu({ user }: { user: CurrentUser }) {
  const { key } = useLocation()
  return (
    <details className="nav-menu" key={key}>
      <summary className="icon-button">
        <Icon name="menu" />
        <span className="hidden-words">Menu</span>
      </summary>
      <nav className="nav-menu-sheet" aria-label="Menu">
        <Badges user={user} />
        <Switcher user={user} />
        <SubTenant user={user} />
        <SideNavigation items={navigationOf(user)} />
        <LogOutLink className="nav-link" />
      </nav>
    </details>
  )
}

/** Back and forward buttons for installed and embedded windows, which have none. */
function HistoryButtons() {
  const navigate = useNavigate()
  const hydrated = useHydrated()
  return (
    <div className="history-buttons">
      {hydrated ? (
        <>
          <button type="button" className="icon-button" onClick={() => navigate(-1)}>
            <Icon name="back" />
            <span className="hidden-words">Back</span>
          </button>
          <button type="button" className="icon-button" onClick={() => navigate(1)}>
            <Icon name="forward" />
            <span className="hidden-words">Forward</span>
          </button>
        </>
      ) : null}
    </div>
  )
}

/** The link to switch to another tenant, for super admins, or another sub-tenant, for people with several. */
function Switcher({ user }: { user: CurrentUser }) {
  if (user.should_enter_subtenant) return null
  if (!user.is_super_admin && !user.hasMoreThanOneSubTenant) return null
  return (
    <Link className="quiet-link" to="/switch">
      <Icon name="building" />
      <span>{user.is_super_admin ? 'Switch tenant' : 'Switch sub-tenant'}</span>
    </Link>
  )
}

/** The current tenant and sub-tenant, with a link to switch. */
function SubTenant({ user }: { user: CurrentUser }) {
  const inside = user.current_sub_tenant
  const own = new Set(user.user_general_roles.map((role) => role.sub_tenant_id))
  const hasElsewhere = user.is_super_admin || own.has(null) || own.size > 1
  if (!inside) {
    const divided = user.current_tenant.customer_type === 'Multi Tenant'
    if (!divided || !(user.is_admin || own.size > 1)) return null
    return (
      <Link className="quiet-link" to="/subtenants">
        <Icon name="building" />
        <span>Sub-tenants</span>
      </Link>
    )
  }
  return (
    <Form method="post" action="/subtenants" className="sub-tenant">
      <span className="sub-tenant-name" title={inside.name}>
        <Icon name="building" />
        <span>{inside.name}</span>
      </span>
      {hasElsewhere ? (
        <button type="submit" name="intent" value="leave_sub_tenant" className="quiet-link">
          Leave<span className="hidden-words"> {inside.name}</span>
        </button>
      ) : null}
    </Form>
  )
}

function initials({ first_name, last_name, email }: CurrentUser): string {
  const letters = [first_name, last_name].map((name) => [...name.trim()][0] ?? '').join('')
  return (letters || (email[0] ?? '?')).toUpperCase()
}
