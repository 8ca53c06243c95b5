/** The frame for signed-in people: side navigation, top bar, the page. */
import type { ReactNode } from 'react'
import { navigationOf } from '#app/domain/access/navigation.ts'
import type { Told } from '#app/domain/notifications/notification.ts'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { Drawn, Form, markFor } from '#app/ui/form/scoped-form.tsx'
import { UnsavedForms } from '#app/ui/form/unsaved.tsx'
import { Brand } from './brand.tsx'
import { LogOutQuestion } from './log-out.tsx'
import { SideNavigation } from './side-navigation.tsx'
import { TopBar } from './top-bar.tsx'

type ShellProps = {
  user: CurrentUser
  told: Told | null
  inside_until: string | null
  form_key: string
  is_audited: boolean
  children: ReactNode
}

export function Shell({ user, told, inside_until, form_key, is_audited, children }: ShellProps) {
  return (
    <Drawn mark={markFor(user)} formKey={form_key}>
      <div className="shell">
        <nav className="side" aria-label="Main">
          <Brand user={user} />
          <SideNavigation items={navigationOf(user)} />
        </nav>
        <TopBar user={user} told={told} />
        <main className="shell-main" id="main" tabIndex={-1}>
          {user.is_impersonating ? (
            <ImpersonationBanner user={user} until={inside_until} isAudited={is_audited} />
          ) : null}
          {children}
          <LogOutQuestion />
          <UnsavedForms />
        </main>
      </div>
    </Drawn>
  )
}

/** Says who is inside which company, and until when, on every page there. */
function ImpersonationBanner({
  user,
  until,
  isAudited,
}: {
  user: CurrentUser
  until: string | null
  isAudited: boolean
}) {
  const { name, current_tenant, current_sub_tenant } = user
  return (
    <Form method="post" action="/tenants" className="banner" data-accent-color="amber">
      <p>
        You ({name}) are working inside{' '}
        <strong>{[current_tenant.name, current_sub_tenant?.name].filter(Boolean).join(', ')}</strong>
        {until ? ` until ${until}` : ''}.{isAudited ? ' Changes are real and logged under your name.' : null}
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
