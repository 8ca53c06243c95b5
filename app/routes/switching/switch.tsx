import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { listTenantChoices } from '#app/api/contract/tenancy/tenants.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { withCookies } from '#app/auth/cookies.server.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { hasMoreThanOneSubTenant } from '#app/domain/access/tenancy.ts'
import { Refusal } from '#app/domain/errors.ts'
import { placeOf } from '#app/domain/tenants/switch-address.ts'
import {
  type Choice,
  SubTenantSwitchForm,
  TenantSwitchForm,
  toChoice,
} from '#app/domain/tenants/switching.ts'
import { readFrame } from '#app/routes/frame.server.ts'
import { noPermission, requireDashboard, requireVisitor, type Visitor } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { Shell } from '#app/ui/frame/shell.tsx'
import { Page } from '#app/ui/page.tsx'
import { namedScope, ScopeRef } from './named-scope.server.ts'
import { SwitchForm } from './switch-form.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.title ?? 'Switch'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const visitor = await requireSwitcher(args)
  const { searchParams } = new URL(args.request.url)
  const [frame, choices] = await Promise.all([readFrame(args, visitor), readChoices(visitor)])
  const { actor, session } = visitor
  const inside = session.impersonated_tenant_id ?? (actor.is_super_admin ? null : actor.tenant_id)
  return {
    frame,
    choices,
    title: actor.is_super_admin ? 'Switch tenant' : 'Switch sub-tenant',
    current: inside && placeOf(inside, actor.sub_tenant_id),
    q: (searchParams.get('q') ?? '').slice(0, 200),
    wanted: searchParams.get('place') ?? '',
    needsReason: actor.is_super_admin && !session.kept,
  }
}

/** Starts a new session, without any cached data of the old place. */
export async function action(args: ActionFunctionArgs) {
  const visitor = await requireSwitcher(args)
  const { session, actor, principal } = visitor
  const schema = principal.is_super_admin && !session.kept ? TenantSwitchForm : SubTenantSwitchForm
  const submission = readForm(await args.request.formData(), schema)
  if (submission.status !== 'success') return refuse(submission)

  const { place, reason } = submission.value
  const [tenant_id = '', sub_tenant_id] = place.split('/')
  try {
    const here = principal.is_super_admin ? session.impersonated_tenant_id : actor.tenant_id
    if (here && place === placeOf(here, actor.sub_tenant_id)) throw new Refusal(409, 'You are there already.')
    if (![tenant_id, sub_tenant_id ?? tenant_id].every((id) => ScopeRef.safeParse(id).success))
      throw new Refusal(400, 'Choose where to go')
    const { tenant, subTenant } = await namedScope(visitor, { tenant_id, sub_tenant_id })
    const cookies = principal.is_super_admin
      ? await keeper().impersonate(session, tenant, { sub_tenant: subTenant, reason })
      : await keeper().enterSubTenant(session, subTenant ?? { id: '', name: '' })
    return redirect('/', { headers: withCookies(cookies) })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return refuse(submission, Response.json({ detail: { place: [error.message] } }, { status: error.status }))
  }
}

export default function Switch() {
  const { frame, title, ...rest } = useLoaderData<typeof loader>()
  const lead = frame.user.is_super_admin
    ? 'Work inside a company, or one of its sub-tenants, as its administrator for up to four hours.'
    : 'Switch to another sub-tenant of your company.'
  return (
    <Shell {...frame}>
      <Page narrow title={title} lead={lead}>
        <SwitchForm {...rest} searchesTenants={frame.user.is_super_admin} />
      </Page>
    </Shell>
  )
}

/** Super admins can switch from anywhere, others only from the dashboard. */
async function requireSwitcher(args: LoaderFunctionArgs): Promise<Visitor> {
  const visitor = await requireVisitor(args)
  if (visitor.actor.is_super_admin && visitor.principal.accepted_terms_on) return visitor
  const dashboard = await requireDashboard(args)
  if (!hasMoreThanOneSubTenant(dashboard.actor)) throw noPermission()
  return dashboard
}

async function readChoices({ api, actor }: Visitor): Promise<Choice[]> {
  if (actor.is_super_admin) {
    const { data } = await api(listTenantChoices)
    return data.map(toChoice)
  }
  const { data } = await api(listSubTenantChoices)
  return data.map(({ id, name, status }) => ({
    place: placeOf(actor.tenant_id, id),
    name,
    isActive: status === 'active',
    subTenants: [],
  }))
}
