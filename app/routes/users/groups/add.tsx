import { getFormProps } from '@conform-to/react'
import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { changeGroupPeople, getUserGroup } from '#app/api/contract/people/user-groups.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { GroupEmailsForm } from '#app/domain/users/groups/user-group.ts'
import { addSelected } from '#app/routes/add-selected.server.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { SearchField } from '#app/routes/journeys/search-people.tsx'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextArea } from '#app/ui/form/text-input.tsx'
import { PickPeople } from '#app/ui/list/pick-people.tsx'
import { Page } from '#app/ui/page.tsx'
import journeysStylesheet from '../../journeys/journeys.css?url'
import { people as count, readSelected } from '../bulk.ts'
import { requirePeople } from '../guard.server.ts'
import { listOutsiders } from './list-outsiders.server.ts'

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: journeysStylesheet }]

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Add people to ${isolated(data?.group.name ?? 'a group')} · Liftwell` },
]

const words = z.string().trim().max(200).catch('')

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const { searchParams } = new URL(args.request.url)
  const q = words.parse(searchParams.get('people') ?? '')
  const group = await api(getUserGroup, { id: args.params.groupId })
  const people = await listOutsiders(api, group.id, q, readSelected(searchParams.getAll('user_ids')))
  return { group, q, ...people }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const { groupId } = args.params
  const formData = await args.request.formData()
  if (requireIntent(formData, ['add-people', 'add-emails']) === 'add-people')
    return addSelected(formData, async (add_user_ids) =>
      tell(groupId, await api(changeGroupPeople, { id: groupId }, { add_user_ids })),
    )
  return saveForm(formData, GroupEmailsForm, async (emails) =>
    tell(groupId, await api(changeGroupPeople, { id: groupId }, emails)),
  )
}

const tell = (id: string | undefined, { added }: { added: number }) =>
  redirectWithToast(encodePath`/users/groups/${id}`, { title: `${count(added)} added` })

export default function AddToGroup() {
  const { group, chosen, others, q } = useLoaderData<typeof loader>()
  return (
    <Page
      title={`Add people to ${isolated(group.name)}`}
      action={
        <ButtonLink to={encodePath`/users/groups/${group.id}`} variant="soft" color="gray">
          Back to the group
        </ButtonLink>
      }
      narrow
    >
      <section className="section" aria-labelledby="choose">
        <h2 id="choose">Choose people</h2>
        <PickPeople
          legend="People who are not in this group yet"
          chosen={chosen}
          others={others}
          search={
            <div className="filter-search">
              <SearchField name="people" label="Search people by name or e-mail" words={q} />
            </div>
          }
          submit={
            <SubmitButton intent="add-people" formMethod="post">
              Add people
            </SubmitButton>
          }
        />
      </section>
      <AddByEmail />
    </Page>
  )
}

function AddByEmail() {
  const { form, fields } = useSchemaForm(GroupEmailsForm, { id: 'emails', defaultValue: {} })
  return (
    <section className="section section-apart" aria-labelledby="by-email">
      <h2 id="by-email">Add by e-mail</h2>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
        <FormErrors form={form} labels={{ add_emails: 'E-mails' }} />
        <TextArea
          field={fields.add_emails}
          label="E-mails"
          help="Up to 500, for example a column of a spreadsheet. Everyone needs to be a user already."
        />
        <div>
          <SubmitButton intent="add-emails">Add these people</SubmitButton>
        </div>
      </Form>
    </section>
  )
}
