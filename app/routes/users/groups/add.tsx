import { getFormProps } from '@conform-to/react'
import {
  type ActionFunctionArgs,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { FormEvent } from 'react'
import type { ApiClient } from '#app/api/client.server.ts'
import { changeGroupPeople, getUserGroup } from '#app/api/contract/people/user-groups.ts'
import { SearchWords } from '#app/domain/page.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { AddToGroupForm } from '#app/domain/users/groups/user-group.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { SearchInput } from '#app/routes/journeys/search-people.tsx'
import { readForm } from '#app/routes/read-form.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
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

const words = SearchWords.catch('')

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const { searchParams } = new URL(args.request.url)
  const q = words.parse(searchParams.get('people') ?? '')
  const group = await api(getUserGroup, { id: args.params.groupId })
  const people = await listOutsiders(api, group.id, q, readSelected(searchParams.getAll('user_ids')))
  return { group, q, ...people }
}

/** Input that was not added is returned unchanged, with the search. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:edit')
  const { groupId } = args.params
  const formData = await args.request.formData()
  const isSearch = requireIntent(formData, ['search', 'add-people']) === 'search'
  const answer = isSearch ? data({ initialValue: typedIn(formData) }) : await add(api, groupId, formData)
  if (!('data' in answer)) return answer
  const q = words.parse(formData.get('people') ?? '')
  const people = await listOutsiders(api, Number(groupId), q, readSelected(formData.getAll('user_ids')))
  return data({ ...answer.data, found: { q, ...people } }, answer.init ?? {})
}

const typedIn = (formData: FormData) => readForm(formData, AddToGroupForm).payload

const add = (api: ApiClient, id: string | undefined, formData: FormData) =>
  saveForm(formData, AddToGroupForm, async ({ user_ids: add_user_ids, add_emails }) =>
    tell(id, await api(changeGroupPeople, { id }, { add_user_ids, add_emails })),
  )

const tell = (id: string | undefined, { added }: { added: number }) =>
  redirectWithToast(encodePath`/users/groups/${id}`, { title: `${count(added)} added` })

/** A search is not a submit: other fields may be unfinished. */
const isSearch = ({ nativeEvent }: FormEvent): boolean =>
  ((nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null)?.value === 'search'

export default function AddToGroup() {
  const { group, ...listed } = useLoaderData<typeof loader>()
  const { chosen, others, q } = useActionData<{ found?: typeof listed }>()?.found ?? listed
  const { form, fields } = useSchemaForm(AddToGroupForm, { id: 'adding', defaultValue: {} })
  const { onSubmit, ...checked } = getFormProps(form)
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
        <FormErrors form={form} labels={{ add_user_ids: 'People', add_emails: 'E-mails' }} />
        <PickPeople
          legend="People who are not in this group yet"
          chosen={chosen}
          others={others}
          form={{ ...checked, method: 'post', onSubmit: (event) => isSearch(event) || onSubmit(event) }}
          boxId={`${form.id}-add_user_ids`}
          search={
            <div className="filter-search">
              <SearchInput name="people" label="Search people by name or e-mail" words={q} />
              <SubmitButton intent="search" formNoValidate variant="soft" color="gray">
                Search
              </SubmitButton>
            </div>
          }
        >
          <h2>Add by e-mail</h2>
          <TextArea
            field={fields.add_emails}
            label="E-mails"
            help="Up to 500, for example a column of a spreadsheet. Everyone needs to be a user already."
          />
          <div>
            <SubmitButton intent="add-people">Add people</SubmitButton>
          </div>
        </PickPeople>
      </section>
    </Page>
  )
}
