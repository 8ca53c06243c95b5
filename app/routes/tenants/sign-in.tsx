import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { PoolReport, TenantPool } from '#app/domain/pools/pool.ts'
import { PoolForm, toPoolInput } from '#app/domain/pools/pool-form.ts'
import { Tenant } from '#app/domain/tenants/tenant.ts'
import { address } from '#app/routes/address.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { besideAddress, useBesideAddress } from '#app/ui/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { type PoolAnswer, PoolFields } from './sign-in-form.tsx'
import { Report } from './sign-in-report.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Sign-in of ${data?.tenant.name ?? 'a tenant'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const path = address`/tenants/${args.params.tenantId}`
  const [tenant, pool] = await Promise.all([api.get(path, Tenant), api.get(`${path}/pool`, TenantPool)])
  return { tenant: { id: tenant.id, name: tenant.name }, pool }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const path = address`/tenants/${args.params.tenantId}/pool`
  const form = await args.request.formData()
  const intent = intentOf(form, ['test', 'discover'])
  const submission = readForm(form, PoolForm)
  if (submission.status !== 'success') return refuse(submission)

  try {
    if (intent) return await tryOut(api, path, submission, intent)
    await api.put(path, toPoolInput(submission.value), TenantPool)
  } catch (error) {
    return refuse(submission, error)
  }
  const tenant = besideAddress(
    address`/tenants/edit/${args.params.tenantId}`,
    new URL(args.request.url).searchParams,
  )
  return redirectWithToast(tenant, { title: 'Sign-in saved' })
}

type Submission = { value: PoolForm; payload: Record<string, unknown> }

/** Nothing is kept: the form comes back as it was typed, with what the provider knows filled in. */
async function tryOut(api: ApiClient, path: string, submission: Submission, intent: 'test' | 'discover') {
  const report = await api.post(`${path}/test`, toPoolInput(submission.value), PoolReport)
  const { client_secret: _, ...typed } = submission.payload
  const found = intent === 'discover' ? { ...typed, ...report.discovered } : typed
  return data<PoolAnswer>({ initialValue: found as NonNullable<PoolAnswer['initialValue']>, report })
}

export default function EditSignIn() {
  const { tenant, pool } = useLoaderData<typeof loader>()
  const back = useBesideAddress()(`/tenants/edit/${tenant.id}`)
  const answer = (useActionData<typeof action>() ?? null) as PoolAnswer | null
  // Each answer is a form of its own, with what was found in its fields.
  const { key } = useLocation()
  return (
    <Page
      title={`Sign-in of ${tenant.name}`}
      lead="Who vouches for its people, and at which addresses."
      action={
        <ButtonLink to={back} variant="soft" color="gray">
          Tenant
        </ButtonLink>
      }
    >
      {answer?.report ? <Report report={answer.report} /> : null}
      <PoolFields key={key} pool={pool} answer={answer}>
        <ButtonLink to={back} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </PoolFields>
    </Page>
  )
}
