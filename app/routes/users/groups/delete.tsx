import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { deleteUserGroup, getUserGroup } from '#app/api/contract/people/user-groups.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { FormActions } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Page } from '#app/ui/page.tsx'
import { requirePeople } from '../guard.server.ts'

const LIST = '/users/groups'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Delete ${isolated(data?.name ?? 'the group')}? · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  return api(getUserGroup, { id: args.params.groupId })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const seen = seenIn(await args.request.formData(), 'lock_version')
  try {
    await api(deleteUserGroup, { id: args.params.groupId }, seen)
  } catch (error) {
    return redirectWithToast(LIST, await whyNotDone(error, 'deleted'))
  }
  return redirectWithToast(LIST, { title: 'Group deleted' })
}

export default function DeleteGroup() {
  const { id, name, lock_version } = useLoaderData<typeof loader>()
  return (
    <Page narrow title={`Delete ${isolated(name)}?`}>
      <Form method="post" className="stack">
        <input type="hidden" name="lock_version" value={lock_version} />
        <p>Its people stay, and stay in their journeys.</p>
        <FormActions>
          <ButtonLink to={encodePath`/users/groups/${id}`} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <Button type="submit" color="red">
            Delete<span className="hidden-words"> {name}</span>
          </Button>
        </FormActions>
      </Form>
    </Page>
  )
}
