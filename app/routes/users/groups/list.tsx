import { getFormProps } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { createUserGroup, listUserGroups } from '#app/api/contract/people/user-groups.ts'
import { type UserGroup, UserGroupForm } from '#app/domain/users/groups/user-group.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Link } from '#app/ui/link.tsx'
import { type Column, DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import { requirePeople } from '../guard.server.ts'

export const meta: MetaFunction = () => [{ title: 'Groups · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const { data: groups } = await api(listUserGroups)
  return { groups }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  return saveForm(await args.request.formData(), UserGroupForm, async (typed) => {
    const { id, name } = await api(createUserGroup, { name: typed.name })
    return redirectWithToast(encodePath`/users/groups/${id}`, { title: 'Group created', message: name })
  })
}

export default function ListGroups() {
  const { groups } = useLoaderData<typeof loader>()
  return (
    <Page
      title="Groups"
      lead="People you add to journeys together, for example a team or everyone who started in May."
      action={
        <ButtonLink to="/users" variant="soft" color="gray">
          User Management
        </ButtonLink>
      }
    >
      {groups.length > 0 ? (
        <DataTable caption="Groups" columns={columnsOf(groups)} rows={groups} rowKey="id" />
      ) : (
        <Empty title="No groups" hint="Create one, and then choose who is in it." />
      )}
      <section className="section section-apart page-narrow" aria-labelledby="new-group">
        <h2 id="new-group">New group</h2>
        <NewGroup />
      </section>
    </Page>
  )
}

const columnsOf = (groups: readonly UserGroup[]): readonly Column<UserGroup>[] => [
  {
    key: 'name',
    label: 'Name',
    render: ({ id, name }) => <Link to={encodePath`/users/groups/${id}`}>{name}</Link>,
  },
  ...(groups.some(({ sub_tenant }) => sub_tenant !== null)
    ? [{ key: 'sub_tenant', label: 'Sub-tenant' } as const]
    : []),
  { key: 'people', label: 'People', align: 'end' },
]

function NewGroup() {
  const { form, fields } = useSchemaForm(UserGroupForm, { id: 'group', defaultValue: {} })
  return (
    <Form method="post" {...getFormProps(form)} className="stack">
      <FormErrors form={form} />
      <TextInput field={fields.name} label="Name" maxLength={80} />
      <div>
        <SubmitButton>Create group</SubmitButton>
      </div>
    </Form>
  )
}
