import { VisuallyHidden } from '@radix-ui/themes'
import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { listApiKeys } from '#app/api/contract/tenancy/api-keys.ts'
import { mayMakeApiKeys } from '#app/domain/access/api-keys.ts'
import type { ApiKey } from '#app/domain/api-keys/api-key.ts'
import { pageSearch } from '#app/domain/page.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Page } from '#app/ui/page.tsx'
import { requireKeysAdmin } from './keys-admin.server.ts'

export const meta: MetaFunction = () => [{ title: 'API keys · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireKeysAdmin(args)
  const asked = new URL(args.request.url).searchParams.get('page')
  const page = pageSearch(['id']).page.parse(asked ?? 1)
  return { keys: await api(listApiKeys, { page }), mayMake: mayMakeApiKeys(actor) }
}

export default function ListApiKeys() {
  const { keys, mayMake } = useLoaderData<typeof loader>()
  return (
    <Page
      title="API keys"
      lead="With a key, a program uses the API for your company. Each stops working when you revoke it."
      action={
        <>
          <ButtonLink to="/settings/company" variant="soft" color="gray">
            Company settings
          </ButtonLink>
          <ButtonLink to="/api/v1/docs" variant="soft" color="gray" reloadDocument>
            API documentation
          </ButtonLink>
          {mayMake ? <ButtonLink to="/settings/company/keys/new">Create API key</ButtonLink> : null}
        </>
      }
    >
      <PagedTable
        caption="API keys"
        columns={COLUMNS}
        list={keys}
        empty={{
          title: 'No API keys',
          hint: mayMake
            ? 'Create one for each program, so that you can revoke it alone.'
            : 'Only administrators who belong to the company can create them.',
        }}
      />
    </Page>
  )
}

const COLUMNS = [
  {
    key: 'name',
    label: 'Name',
    render: ({ name, secret_start }: ApiKey) => (
      <>
        {name} <code>{secret_start}…</code>
      </>
    ),
  },
  { key: 'state', label: 'Status', render: ({ state }: ApiKey) => <State state={state} /> },
  {
    key: 'role',
    label: 'Can act as',
    render: ({ role, is_read_only, sub_tenant }: ApiKey) =>
      `${role === 'admin' ? 'Administrator' : 'Author'}${is_read_only ? ', read-only' : ''}${sub_tenant ? `, in ${sub_tenant}` : ''}`,
  },
  { key: 'made_by', label: 'Created by', render: ({ made_by }: ApiKey) => made_by.name },
  {
    key: 'last_used_on',
    label: 'Last used',
    render: ({ last_used_on }: ApiKey) => (last_used_on ? <Day at={last_used_on} timed /> : 'Never'),
  },
  { key: 'expires_on', label: 'Expires', render: ({ expires_on }: ApiKey) => <Day at={expires_on} /> },
  {
    key: 'id',
    label: 'Revoke',
    hideLabel: true,
    render: ({ id, name, state }: ApiKey) =>
      state === 'revoked' ? null : (
        <Link to={encodePath`/settings/company/keys/${id}/revoke`}>
          Revoke <VisuallyHidden>{name}</VisuallyHidden>
        </Link>
      ),
  },
]

const STATES: Record<ApiKey['state'], { words: string; tone: Tone }> = {
  active: { words: 'Active', tone: 'success' },
  expired: { words: 'Expired', tone: 'neutral' },
  revoked: { words: 'Revoked', tone: 'neutral' },
  without_maker: { words: 'Stopped: its creator is not an administrator here', tone: 'warning' },
}

const State = ({ state }: { state: ApiKey['state'] }) => (
  <Badge tone={STATES[state].tone}>{STATES[state].words}</Badge>
)
