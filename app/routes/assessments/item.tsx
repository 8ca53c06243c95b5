import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData, useParams } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { updateAssessment } from '#app/api/contract/assessments.ts'
import { listObjectives } from '#app/api/contract/objectives.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { isAsStored } from '#app/domain/as-stored.ts'
import { ITEM_KINDS } from '#app/domain/assessments/assessment.ts'
import { ITEM_NAMES, ItemForm, itemOfForm } from '#app/domain/assessments/item-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone, requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { useRefused } from '#app/ui/form/refused.ts'
import { readJourney } from '../journeys/journey.server.ts'
import { JourneyPage } from '../journeys/journey-page.tsx'
import { NotThere } from '../journeys/not-there.tsx'
import { moveOne, orShowNow } from '../journeys/reorder.server.ts'
import { editorOf, listOf } from './address.ts'
import { readAssessment, requireAssessment } from './assessment.server.ts'
import { ItemEditor } from './item-editor.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${titleOf(data?.item?.kind ?? data?.newKind, data?.item)} · ${isolated(data?.assessment?.name ?? 'an assessment')} · Liftwell`,
  },
]

const titleOf = (kind: keyof typeof ITEM_NAMES | null | undefined, item: object | null | undefined) =>
  kind ? `${item ? 'Edit' : 'Add'}: ${ITEM_NAMES[kind].toLowerCase()}` : 'Assessment'

/** In the URL a new item is named by its kind, an existing one by its id. */
const kindIn = (item: string | undefined) => ITEM_KINDS.find((kind) => kind === item)

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const [{ journey, assessment }, objectives] = await Promise.all([
    readAssessment(api, args.params),
    api(listObjectives, { id: args.params.journeyId }),
  ])
  const item = assessment?.items.find(({ id }) => String(id) === args.params.item) ?? null
  const newKind = kindIn(args.params.item) ?? null
  const isThere = assessment !== null && (item !== null || newKind !== null)
  const shown = { journey, assessment, item, newKind, objectives: objectives.data }
  return data(shown, { status: isThere ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  return formData.has('way') ? moveItem(api, args, formData) : saveItem(api, args, formData)
}

const SAVED = { title: 'Item saved' }

async function saveItem(api: ApiClient, { params }: ActionFunctionArgs, formData: FormData) {
  const submission = readForm(formData, ItemForm)
  if (submission.status !== 'success') return refuse(submission)
  const { lock_version } = submission.value
  try {
    const { id, items, lock_version: stored } = await requireAssessment(api, params)
    const before = items.find((one) => String(one.id) === params.item)
    const given = itemOfForm(submission.value, before)
    // After a double press, the second request finds it added.
    const isAdded = !before && lock_version !== stored && isAsStored(given, items.at(-1))
    if (isAdded) return redirectWithToast(editorOf(params, id), SAVED)
    const next = before ? items.map((one) => (one.id === before.id ? given : one)) : [...items, given]
    await api(updateAssessment, { id }, { items: next, lock_version })
    return redirectWithToast(editorOf(params, id), SAVED)
  } catch (error) {
    await requirePage(error, () => readJourney(api, params.journeyId))
    return refuseGone(submission, error, 'Someone deleted this assessment while you were editing.')
  }
}

async function moveItem(api: ApiClient, { params }: ActionFunctionArgs, formData: FormData) {
  const { id, items } = await requireAssessment(api, params)
  const place = items.findIndex((one) => String(one.id) === params.item)
  const next = place < 0 ? items : moveOne(items, place, formData.get('way'))
  const to = editorOf(params, id)
  return orShowNow(to, async () => {
    await api(updateAssessment, { id }, { items: next, lock_version: Number(formData.get('lock_version')) })
    return redirectWithToast(to, { title: formData.get('way') === 'remove' ? 'Removed' : 'Moved' })
  })
}

export default function EditItem() {
  const { journey, assessment, item, newKind, objectives } = useLoaderData<typeof loader>()
  const { lastResult } = useRefused()
  const params = useParams()
  // The input is shown again even if the item, or the whole assessment, was removed meanwhile.
  const typed = ItemForm.shape.kind.safeParse(lastResult?.initialValue?.kind).data
  const kind = item?.kind ?? typed ?? (assessment ? newKind : null)
  return (
    <JourneyPage journey={journey} title={titleOf(kind, item)}>
      <div className="stack page-narrow">
        {kind ? (
          <ItemEditor
            key={item?.id ?? kind}
            isNew={newKind !== null}
            {...{ journey, assessment, item, kind, objectives }}
          />
        ) : (
          <NotThere
            what={assessment ? 'This item no longer exists.' : 'This assessment no longer exists.'}
            back={assessment ? editorOf(params, assessment.id) : listOf(params)}
          >
            {assessment ? 'Back to the assessment' : 'All assessments'}
          </NotThere>
        )}
      </div>
    </JourneyPage>
  )
}
