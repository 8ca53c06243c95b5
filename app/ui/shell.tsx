/** The frame of everybody who is signed in: side navigation, top bar, the page. */
import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import { navigationOf } from '#app/domain/access/navigation.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { Brand } from './brand.tsx'
import { SideNavigation } from './side-navigation.tsx'
import { TopBar } from './top-bar.tsx'

export function Shell({ user, children }: { user: CurrentUser; children: ReactNode }) {
  return (
    <div className="shell">
      <nav className="side" aria-label="Main">
        <Brand user={user} />
        <SideNavigation places={navigationOf(user)} />
      </nav>
      <TopBar user={user} />
      <main className="shell-main" id="main" tabIndex={-1}>
        {user.is_impersonating ? <ImpersonationBanner tenant={user.current_tenant.name} /> : null}
        {children}
      </main>
    </div>
  )
}

function ImpersonationBanner({ tenant }: { tenant: string }) {
  return (
    <Form method="post" action="/tenants" className="banner" data-accent-color="amber">
      <p>
        You are working inside <strong>{tenant}</strong>. What you change, its people see.
      </p>
      <button
        type="submit"
        name="intent"
        value="stop_impersonating"
        className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-surface"
        data-accent-color="amber"
      >
        Return to dashboard
      </button>
    </Form>
  )
}
