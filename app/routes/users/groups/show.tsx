import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { changeGroupPeople, getUserGroup, updateUserGroup } from '#app/api/contract/people/user-groups.ts'
import { listUsers } from '#app/api/contract/people/users.ts'
import { pageSearch } from '#app/domain/page.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { type UserGroup, UserGroupForm } from '#app/domain/users/groups/user-group.ts'
import type { User } from '#app/domain/users/user.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import { Selection } from '#app/ui/list/selection.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import { people as count, readSelected } from '../bulk.ts'
import { requirePeople } from '../guard.server.ts'
import { AccountBadge } from '../list-parts.tsx'
import { Rename } from './rename.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${isolated(data?.group.name ?? 'Group')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const page = pageSearch(['name']).page.parse(new URL(args.request.url).searchParams.get('page') ?? 1)
  const group = await api(getUserGroup, { id: args.params.groupId })
  const people = await api(listUsers, { group_id: group.id, page, order_by: 'name', order: 'asc' })
  return { group, people }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const { groupId } = args.params
  const formData = await args.request.formData()
  return requireIntent(formData, ['rename', 'remove']) === 'rename'
    ? rename(api, groupId, formData)
    : removePeople(api, groupId, formData)
}

const rename = (api: ApiClient, id: string | undefined, formData: FormData) =>
  saveForm(formData, UserGroupForm, async ({ name, lock_version = 0 }) => {
    const group = await api(updateUserGroup, { id }, { name, lock_version })
    return redirectWithToast(encodePath`/users/groups/${id}`, { title: 'Group saved', message: group.name })
  })

async function removePeople(api: ApiClient, id: string | undefined, formData: FormData) {
  const remove_user_ids = readSelected(formData.getAll('user_ids'))
  if (remove_user_ids.length === 0)
    return data({ problem: 'Please select at least one person.' }, { status: 422 })
  const { removed } = await api(changeGroupPeople, { id }, { remove_user_ids })
  return redirectWithToast(encodePath`/users/groups/${id}`, { title: `${count(removed)} removed` })
}

export default function ShowGroup() {
  const { group, people } = useLoaderData<typeof loader>()
  const problem = useActionData<{ problem?: string }>()?.problem
  return (
    <Page
      title={group.name}
      lead={group.sub_tenant ? `A group of ${group.sub_tenant}.` : 'People you add to journeys together.'}
      action={<GroupActions group={group} />}
    >
      {problem ? (
        <p className="field-errors" role="alert">
          {problem}
        </p>
      ) : null}
      <PagedTable
        caption={`People in ${group.name}`}
        columns={COLUMNS}
        list={people}
        empty={{ title: 'Nobody is in this group', hint: 'Add people to it.' }}
      >
        <Form method="post" id={REMOVING} className="bulk-bar" preventScrollReset>
          <Selection form={REMOVING} name="user_ids" />
          <Button type="submit" name="intent" value="remove" variant="soft" color="red">
            Remove from the group
          </Button>
        </Form>
      </PagedTable>
      <Rename group={group} />
    </Page>
  )
}

function GroupActions({ group: { id, people } }: { group: UserGroup }) {
  return (
    <>
      <ButtonLink to="/users/groups" variant="soft" color="gray">
        Groups
      </ButtonLink>
      <ButtonLink to={encodePath`/users/groups/${id}/delete`} variant="soft" color="red">
        Delete
      </ButtonLink>
      <ButtonLink to={encodePath`/users/groups/${id}/add`}>
        {people === 0 ? 'Choose people' : 'Add people'}
      </ButtonLink>
    </>
  )
}

const REMOVING = 'removing'

const COLUMNS: readonly Column<User>[] = [
  {
    key: 'name',
    label: 'Name',
    render: ({ id, name }) => (
      <span className="name-cell">
        <label className="pick">
          <input type="checkbox" className="choice-box" name="user_ids" value={id} form={REMOVING} />
          <span className="hidden-words">Select {isolated(name)}</span>
        </label>
        <Link to={encodePath`/users/edit/${id}`}>{name}</Link>
      </span>
    ),
  },
  { key: 'email', label: 'E-mail' },
  { key: 'status', label: 'Status', render: (user) => <AccountBadge user={user} /> },
]
