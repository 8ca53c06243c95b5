import { getFormProps } from '@conform-to/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { addParticipants } from '#app/api/contract/participants.ts'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { MEMBER_ROLES } from '#app/domain/participants/member.ts'
import { GroupForm } from '#app/domain/participants/member-form.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { readJourney } from '../journey.server.ts'
import { inWords } from '../journey-badge.tsx'
import { JourneyPage } from '../journey-page.tsx'
import { reason } from '../reason.server.ts'
import { KeptSearch, SearchField } from '../search-people.tsx'
import { peopleOf, usePeopleAddress } from './address.ts'
import { listCandidates } from './list-people.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Add participants to ${data?.journey.name ?? 'a journey'} · Liftwell` },
]

const words = z.string().trim().max(200).catch('')
const ids = z.array(z.coerce.number().int().positive()).max(100).catch([])

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const { searchParams } = new URL(args.request.url)
  const q = words.parse(searchParams.get('people') ?? '')
  const ticked = ids.parse(searchParams.getAll('user_ids'))
  const [shown, people, subTenants] = await Promise.all([
    readJourney(api, id),
    listCandidates(api, id, q, ticked),
    api(listSubTenantChoices),
  ])
  if (!shown.mayEdit) throw new Response('Forbidden', { status: 403 })
  return { ...shown, ...people, q, subTenants: subTenants.data }
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

async function addChosen(api: ApiClient, id: string | undefined, formData: FormData, list: string) {
  const user_ids = formData.getAll('user_ids').map(Number)
  if (user_ids.length === 0) return data({ problem: 'Please tick at least one person.' }, { status: 422 })
  try {
    const { added } = await api(addParticipants, { id }, { user_ids })
    const title = added === 1 ? '1 learner added' : `${added} learners added`
    return await redirectWithToast(list, { title })
  } catch (error) {
    return data({ problem: await reason(error) }, { status: 422 })
  }
}

async function addGroup(api: ApiClient, id: string | undefined, formData: FormData, list: string) {
  const submission = readForm(formData, GroupForm)
  if (submission.status !== 'success') return refuse(submission)
  const { role, ...group } = submission.value
  try {
    const { added } = await api(addParticipants, { id }, { group, role })
    return await redirectWithToast(list, { title: `${added} added` })
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

/** One form: who is ticked stays so while others are looked for. */
function AddPeople() {
  const { chosen, others, q } = useLoaderData<typeof loader>()
  const answer = useActionData<{ problem?: string }>()
  const isChosen = new Set(chosen.map(({ id }) => id))
  return (
    <section className="stack" aria-labelledby="add-people">
      <h2 id="add-people">Choose learners</h2>
      {answer?.problem ? (
        <p className="field-errors" role="alert">
          {answer.problem}
        </p>
      ) : null}
      <Form method="get" preventScrollReset className="stack">
        <KeptSearch but={['people', 'user_ids']} />
        <div className="filter-search">
          <SearchField name="people" label="Search people by name or e-mail" words={q} />
        </div>
        <fieldset className="field choices scroll-box">
          <legend className="hidden-words">People who are not in this journey yet</legend>
          {others.length === 0 ? <p className="people-mail">Nobody else matches.</p> : null}
          {[...chosen, ...others].map((user) => (
            <label key={user.id} className="choice">
              <input
                className="choice-box"
                type="checkbox"
                name="user_ids"
                value={user.id}
                defaultChecked={isChosen.has(user.id)}
              />
              <span className="choice-label">
                {user.first_name} {user.last_name} <span className="people-mail">{user.email}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <SubmitButton intent="add-members" formMethod="post">
            Add learners
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}

const GROUPS = [
  { value: 'user', label: 'Users' },
  { value: 'author', label: 'Authors' },
  { value: 'admin', label: 'Administrators' },
]

function AddGroup() {
  const { subTenants } = useLoaderData<typeof loader>()
  const { form, fields } = useSchemaForm(GroupForm, { id: 'group', defaultValue: {} })
  return (
    <details className="more" open={form.status === 'error'}>
      <summary>Add by role or sub-tenant</summary>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        <SelectInput field={fields.general_role} label="Everyone with the role" options={GROUPS} />
        {subTenants.length > 0 ? (
          <SelectInput
            field={fields.sub_tenant_id}
            label="Everyone in the sub-tenant"
            options={subTenants.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
        <SelectInput
          field={fields.role}
          label="As"
          options={MEMBER_ROLES.map((value) => ({ value, label: inWords(value) }))}
        />
        <div>
          <SubmitButton intent="add-group">Add all of them</SubmitButton>
        </div>
      </Form>
    </details>
  )
}
