import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import {
  getTenantPool,
  listRefusedSignIns,
  testTenantPool,
  updateTenantPool,
} from '#app/api/contract/tenancy/pools.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { pageSearch } from '#app/domain/page.ts'
import type { PoolReport } from '#app/domain/pools/pool.ts'
import { PoolForm, toPoolInput } from '#app/domain/pools/pool-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireSuperAdmin } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { besideAddress, useBesideAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { RefusedSignIns } from './refused-sign-ins.tsx'
import { type PoolAnswer, PoolFields } from './sign-in-form.tsx'
import { Report } from './sign-in-report.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Sign-in of ${isolated(data?.pool.tenant.name ?? 'a tenant')} · Liftwell` },
]

const Search = z.object({ page: pageSearch(['date']).page })

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const { page } = Search.parse(searchOf(args.request))
  const [pool, refused] = await Promise.all([
    api(getTenantPool, { id: args.params.tenantId }),
    api(
      listRefusedSignIns,
      { id: args.params.tenantId },
      {
        page,
        per_page: 10,
      },
    ),
  ])
  return { pool, refused }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireSuperAdmin(args)
  const form = await args.request.formData()
  const intent = intentOf(form, ['test', 'discover', 'choose'])
  const submission = readForm(form, PoolForm)
  // Without scripts, a button shows the fields of the choice.
  if (intent === 'choose') return typedAgain(submission.payload)
  if (submission.status !== 'success') return refuse(submission)

  try {
    if (intent) return await tryOut(api, args.params.tenantId, submission, intent)
    await api(updateTenantPool, { id: args.params.tenantId }, toPoolInput(submission.value))
  } catch (error) {
    return refuse(submission, error)
  }
  const tenant = besideAddress(
    encodePath`/tenants/edit/${args.params.tenantId}`,
    new URL(args.request.url).searchParams,
  )
  return redirectWithToast(tenant, { title: 'Sign-in saved' })
}

type Submission = { value: PoolForm; payload: Record<string, unknown> }

/** Nothing is saved: the form is returned with its input, completed with what the provider announces. */
async function tryOut(
  api: ApiClient,
  tenantId: string | undefined,
  submission: Submission,
  intent: 'test' | 'discover',
) {
  const report = await api(testTenantPool, { id: tenantId }, toPoolInput(submission.value))
  const found = intent === 'discover' ? report.discovered : {}
  return typedAgain({ ...submission.payload, ...found }, report)
}

function typedAgain({ client_secret: _, ...typed }: Record<string, unknown>, report?: PoolReport) {
  const initialValue = typed as NonNullable<PoolAnswer['initialValue']>
  return data<PoolAnswer>({ initialValue, ...(report ? { report } : {}) })
}

export default function EditSignIn() {
  const { pool, refused } = useLoaderData<typeof loader>()
  const { tenant } = pool
  const back = useBesideAddress()(`/tenants/edit/${tenant.id}`)
  const answer = (useActionData<typeof action>() ?? null) as PoolAnswer | null
  // A new key for each answer, so that its values fill the fields; paging in the list below keeps the key.
  const { key } = useLocation()
  return (
    <Page
      title={`Sign-in of ${isolated(tenant.name)}`}
      lead="How this tenant’s people sign in."
      action={
        <ButtonLink to={back} variant="soft" color="gray">
          Tenant
        </ButtonLink>
      }
    >
      {answer?.report ? <Report report={answer.report} /> : null}
      <PoolFields key={answer ? key : 'stored'} pool={pool} answer={answer}>
        <ButtonLink to={back} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </PoolFields>
      {pool.kind !== 'embedded' || refused.pagination.total > 0 ? <RefusedSignIns {...refused} /> : null}
    </Page>
  )
}
