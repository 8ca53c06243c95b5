import { getFormProps } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { addParticipants } from '#app/api/contract/participants.ts'
import { listUserGroups } from '#app/api/contract/people/user-groups.ts'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { MEMBER_ROLES } from '#app/domain/participants/member.ts'
import { GroupForm } from '#app/domain/participants/member-form.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import type { UserGroup } from '#app/domain/users/groups/user-group.ts'
import { addSelected } from '#app/routes/add-selected.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { PickPeople } from '#app/ui/list/pick-people.tsx'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { inWords } from '../journey-badge.tsx'
import { JourneyPage } from '../journey-page.tsx'
import { KeptSearch, SearchField } from '../search-people.tsx'
import { peopleOf, usePeopleAddress } from './address.ts'
import { listCandidates } from './list-people.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Add participants to ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

const words = z.string().trim().max(200).catch('')
const ids = z.array(z.coerce.number().int().positive()).max(100).catch([])

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const { searchParams } = new URL(args.request.url)
  const q = words.parse(searchParams.get('people') ?? '')
  const selected = ids.parse(searchParams.getAll('user_ids'))
  const [shown, people, subTenants, groups] = await Promise.all([
    readJourney(api, id),
    listCandidates(api, id, q, selected),
    api(listSubTenantChoices),
    api(listUserGroups),
  ])
  await requireMayEdit(shown)
  return { ...shown, ...people, q, subTenants: subTenants.data, groups: groups.data }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const intent = requireIntent(formData, ['add-members', 'add-group'])
  const list = peopleOf(args.params.journeyId, args.request)
  return intent === 'add-members'
    ? addChosen(api, args.params.journeyId, formData, list)
    : addGroup(api, args.params.journeyId, formData, list)
}

const wereAdded = (added: number, role: string): string =>
  added === 0 ? 'Nobody new to add' : `${figures(added)} ${role}${added === 1 ? '' : 's'} added`

const addChosen = (api: ApiClient, id: string | undefined, formData: FormData, list: string) =>
  addSelected(formData, async (user_ids) => {
    const { added } = await api(addParticipants, { id }, { user_ids })
    return redirectWithToast(list, { title: wereAdded(added, 'learner') })
  })

async function addGroup(api: ApiClient, id: string | undefined, formData: FormData, list: string) {
  const submission = readForm(formData, GroupForm)
  if (submission.status !== 'success') return refuse(submission)
  const { role, ...group } = submission.value
  try {
    const { added } = await api(addParticipants, { id }, { group, role })
    return await redirectWithToast(list, { title: wereAdded(added, role) })
  } catch (error) {
    return refuse(submission, error)
  }
}

export default function AddParticipants() {
  const { journey } = useLoaderData<typeof loader>()
  return (
    <JourneyPage journey={journey} title="Add participants">
      <div className="stack">
        <AddPeople />
        <AddGroup />
        <p>
          <ButtonLink to={usePeopleAddress(journey.id).list} variant="soft" color="gray">
            Back to the participants
          </ButtonLink>
        </p>
      </div>
    </JourneyPage>
  )
}

function AddPeople() {
  const { chosen, others, q } = useLoaderData<typeof loader>()
  return (
    <section className="stack" aria-labelledby="add-people">
      <h2 id="add-people">Choose learners</h2>
      <PickPeople
        legend="People who are not in this journey yet"
        chosen={chosen}
        others={others}
        search={
          <>
            <KeptSearch but={['people', 'user_ids']} />
            <div className="filter-search">
              <SearchField name="people" label="Search people by name or e-mail" words={q} />
            </div>
          </>
        }
        submit={
          <SubmitButton intent="add-members" formMethod="post">
            Add learners
          </SubmitButton>
        }
      />
    </section>
  )
}

const ROLES = [
  { value: 'user', label: 'Users' },
  { value: 'author', label: 'Authors' },
  { value: 'admin', label: 'Administrators' },
]

const inFull = ({ name, sub_tenant, people }: UserGroup): string =>
  `${name}${sub_tenant ? `, ${sub_tenant}` : ''} (${people === 1 ? '1 person' : `${figures(people)} people`})`

function AddGroup() {
  const { subTenants, groups } = useLoaderData<typeof loader>()
  const { form, fields } = useSchemaForm(GroupForm, { id: 'group', defaultValue: { role: 'learner' } })
  return (
    <details className="more" open={form.status === 'error'}>
      <summary>Add by group, role or sub-tenant</summary>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        {groups.length > 0 ? (
          <SelectInput
            field={fields.group_id}
            label="Everyone in the group"
            options={groups.map((group) => ({ value: String(group.id), label: inFull(group) }))}
            help="Adds the people in the group now. People who join the group later aren’t added to the journey."
          />
        ) : null}
        <SelectInput field={fields.general_role} label="Everyone with the role" options={ROLES} />
        {subTenants.length > 0 ? (
          <SelectInput
            field={fields.sub_tenant_id}
            label="Everyone in the sub-tenant"
            options={subTenants.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
        <SelectInput
          field={fields.role}
          label="Add as"
          options={MEMBER_ROLES.map((value) => ({ value, label: inWords(value) }))}
        />
        <div>
          <SubmitButton intent="add-group">Add all of them</SubmitButton>
        </div>
      </Form>
    </details>
  )
}
