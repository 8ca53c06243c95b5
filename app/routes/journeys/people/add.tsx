import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useLocation } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { addParticipants } from '#app/api/contract/participants.ts'
import { listUserGroups } from '#app/api/contract/people/user-groups.ts'
import { listSubTenantChoices } from '#app/api/contract/tenancy/sub-tenants.ts'
import { SearchWords } from '#app/domain/page.ts'
import { GroupForm } from '#app/domain/participants/member-form.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { addSelected } from '#app/routes/add-selected.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { SCOPE } from '#app/ui/form/scoped-form.tsx'
import { PickPeople } from '#app/ui/list/pick-people.tsx'
import { readSelected } from '../../users/bulk.ts'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { mapFieldErrors } from '../map-field-errors.server.ts'
import { KeptSearch, SearchField } from '../search-people.tsx'
import { ADDING, AddGroup } from './add-group.tsx'
import { peopleOf, usePeopleAddress } from './address.ts'
import { listCandidates } from './list-people.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Add participants to ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

const words = SearchWords.catch('')
const OF_GROUP = Object.keys(GroupForm.shape)
const BESIDE_GROUP = ['people', 'user_ids', 'find', 'members']

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const { searchParams } = new URL(args.request.url)
  const q = words.parse(searchParams.get('people') ?? '')
  const selected = readSelected(searchParams.getAll('user_ids'))
  const [shown, people, subTenants, groups] = await Promise.all([
    readJourney(api, id),
    listCandidates(api, id, q, selected),
    api(listSubTenantChoices),
    api(listUserGroups),
  ])
  await requireMayEdit(shown)
  const group = Object.fromEntries(OF_GROUP.map((name) => [name, searchParams.get(name) ?? undefined]))
  const here = subTenants.data.filter((one) => actor.sub_tenant_id === null || one.id === actor.sub_tenant_id)
  return { ...shown, ...people, q, group, subTenants: here, groups: groups.data }
}

/** Each button adds its own part; the input for the other part is kept. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = args.params.journeyId
  const formData = await args.request.formData()
  return requireIntent(formData, ['add-members', 'add-group']) === 'add-members'
    ? addChosen(api, id, formData, nextAfter(args, formData, OF_GROUP))
    : addGroup(api, id, formData, nextAfter(args, formData, ['user_ids']))
}

/** Back to this page if input is left to add, otherwise to the list. */
function nextAfter({ request, params }: ActionFunctionArgs, formData: FormData, left: readonly string[]) {
  const rest = [...formData].filter(([name, value]) => left.includes(name) && value !== '')
  // The role for a group alone adds nobody.
  if (rest.every(([name]) => name === 'role')) return peopleOf(params.journeyId, request)
  const { pathname, searchParams } = new URL(request.url)
  for (const name of [SCOPE, 'user_ids', ...OF_GROUP]) searchParams.delete(name)
  for (const [name, value] of rest) searchParams.append(name, String(value))
  return `${pathname}?${searchParams}`
}

const wereAdded = (added: number, role: string): string =>
  added === 0 ? 'Nobody new to add' : `${figures(added)} ${role}${added === 1 ? '' : 's'} added`

const addChosen = (api: ApiClient, id: string | undefined, formData: FormData, next: string) =>
  addSelected(formData, async (user_ids) => {
    const { added } = await api(addParticipants, { id }, { user_ids })
    return redirectWithToast(next, { title: wereAdded(added, 'learner') })
  })

async function addGroup(api: ApiClient, id: string | undefined, formData: FormData, next: string) {
  const selected = readSelected(formData.getAll('user_ids'))
  for (const name of BESIDE_GROUP) formData.delete(name)
  const answer = await saveForm(formData, GroupForm, async ({ role, ...group }) => {
    const adding = api(addParticipants, { id }, { group, role })
    const { added } = await adding.catch(async (error) => {
      throw await mapFieldErrors(error, { group: '' })
    })
    return redirectWithToast(next, { title: wereAdded(added, role) })
  })
  return 'data' in answer ? data({ ...answer.data, selected }, answer.init ?? {}) : answer
}

export default function AddParticipants() {
  const { journey } = useLoaderData<typeof loader>()
  return (
    <JourneyPage journey={journey} title="Add participants">
      <div className="stack">
        <AddPeople />
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
  const { chosen, others, q, group, groups, subTenants } = useLoaderData<typeof loader>()
  const { key } = useLocation()
  return (
    <section className="stack" aria-labelledby="add-people">
      <h2 id="add-people">Choose learners</h2>
      <p className="field-help">
        A sponsor is added with a learner: among the participants, choose Edit beside the learner and name the
        sponsor.
      </p>
      <PickPeople
        legend="People who are not learners here yet"
        chosen={chosen}
        others={others}
        form={{ id: ADDING }}
        search={
          <>
            <KeptSearch but={['people', 'user_ids', ...OF_GROUP]} />
            <div className="filter-search">
              <SearchField name="people" label="Search people by name or e-mail" words={q} />
            </div>
          </>
        }
      >
        <div>
          <SubmitButton intent="add-members" formMethod="post">
            Add learners
          </SubmitButton>
        </div>
        <AddGroup key={key} chosen={group} groups={groups} subTenants={subTenants} />
      </PickPeople>
    </section>
  )
}
