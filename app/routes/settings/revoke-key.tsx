import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getApiKey, revokeApiKey } from '#app/api/contract/tenancy/api-keys.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { FormActions } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Page } from '#app/ui/page.tsx'
import { requireKeysAdmin } from './keys-admin.server.ts'

const HERE = '/settings/company/keys'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Revoke ${isolated(data?.name ?? 'an API key')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireKeysAdmin(args)
  const { name, last_used_on } = await api(getApiKey, { id: args.params.keyId })
  return { name, isUsed: last_used_on !== null }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireKeysAdmin(args)
  try {
    const { name } = await api(revokeApiKey, { id: args.params.keyId })
    return redirectWithToast(HERE, { title: 'API key revoked', message: name })
  } catch (error) {
    return redirectWithToast(HERE, await whyNotDone(error, 'revoked'))
  }
}

export default function RevokeApiKey() {
  const { name, isUsed } = useLoaderData<typeof loader>()
  return (
    <Page narrow title={`Revoke ${isolated(name)}?`}>
      <Form method="post" className="stack">
        <p>
          It stops working at once, and cannot be brought back.{' '}
          {isUsed ? 'It has been used: a program may still need it.' : 'It has never been used.'}
        </p>
        <FormActions>
          <ButtonLink to={HERE} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <Button type="submit" color="red">
            Revoke<span className="hidden-words"> {name}</span>
          </Button>
        </FormActions>
      </Form>
    </Page>
  )
}
