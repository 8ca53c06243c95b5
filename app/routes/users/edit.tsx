import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { User } from '#app/domain/users/user.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data ? data.user.name : 'User'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api, principal } = await requireDashboard(args)
  const user = await api.get(`/users/${encodeURIComponent(args.params.userId ?? '')}`, User)
  return { user, own: user.id === principal.user_id }
}

export default function EditUser() {
  const { user, own } = useLoaderData<typeof loader>()
  return (
    <Page
      title={user.name}
      lead="Who this person is, what they may do, and whether their account is in use."
      action={own ? <ButtonLink to="/settings/profile">Edit your profile</ButtonLink> : undefined}
      narrow
    >
      <Facts
        facts={{
          'E-mail': user.email,
          'Job title': user.job_title,
          'Mobile phone': user.mobile_phone,
          'Time zone': user.timezone,
          Account: user.activation_status,
          Roles: [...new Set(user.user_general_roles.map(({ role }) => role))].join(', '),
        }}
      />
    </Page>
  )
}
