import {
  type ActionFunctionArgs,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { listObjectives } from '#app/api/contract/objectives.ts'
import { createPrompt, deletePrompt, orderPrompts, updatePrompt } from '#app/api/contract/prompts.ts'
import { refuse } from '#app/api/refuse.server.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { PROMPT_KINDS, type Prompt, type PromptKind } from '#app/domain/lifts/prompt.ts'
import { PromptForm, promptOfForm } from '#app/domain/lifts/prompt-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone, requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { intentOf } from '#app/routes/intent.server.ts'
import liftStylesheet from '#app/routes/lift/lift.css?url'
import { readForm } from '#app/routes/read-form.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { already } from '#app/routes/why-not-done.server.ts'
import { useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { questionBefore } from '../impact.server.ts'
import { readJourney } from '../journey.server.ts'
import { moveOne, reorder } from '../reorder.server.ts'
import { liftOf } from './address.ts'
import { readLift, requireLift } from './lift.server.ts'
import { PartPage } from './part-page.tsx'
import { PromptFields } from './prompt-fields.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `Question of ${isolated(data?.lift?.title ?? 'a lift')} · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell`,
  },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: liftStylesheet }]

/** The id of an existing question, or the kind of a new one. */
function whichIn(prompt = ''): number | PromptKind {
  if (/^[1-9]\d{0,14}$/.test(prompt)) return Number(prompt)
  const kind = PROMPT_KINDS.find((one) => one === prompt)
  if (!kind) throw new Response('Not Found', { status: 404 })
  return kind
}

const isIn = (lift: Lift, which: unknown): boolean => lift.prompts.some(({ id }) => id === which)

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const which = whichIn(args.params.prompt)
  const [shown, objectives] = await Promise.all([
    readLift(api, args.params),
    api(listObjectives, { id: args.params.journeyId }),
  ])
  const isThere = shown.lift !== null && (typeof which === 'string' || isIn(shown.lift, which))
  return data({ ...shown, which, isThere, objectives: objectives.data }, { status: isThere ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  return formData.has('way') ? movePrompt(api, args, formData) : savePrompt(api, args, formData)
}

async function savePrompt(api: ApiClient, { params, request }: ActionFunctionArgs, formData: FormData) {
  const which = whichIn(params.prompt)
  const isFollowed = intentOf(formData, ['another']) !== null
  const submission = readForm(formData, PromptForm)
  if (submission.status !== 'success') return refuse(submission)
  const { version } = submission.value
  const input = promptOfForm(submission.value)
  let gone = 'Someone deleted this lift while you were editing.'
  try {
    const lift = await requireLift(api, params)
    gone = 'Someone removed this question while you were editing. Save it again as a new one.'
    const prompt = typeof which === 'number' ? requirePrompt(lift, which) : null
    const versions = prompt ? { seen: version, stored: prompt.version } : undefined
    const impact = await questionBefore(api, lift.journey_id, contentOf(lift), formData, versions)
    if (impact) return data({ ...submission.reply(), impact })
    if (prompt) await api(updatePrompt, { id: prompt.id }, { ...input, version })
    else await api(createPrompt, { id: lift.id }, input)
    const next = liftOf(params, request, isFollowed ? `/prompts/${input.kind}` : '')
    return redirectWithToast(next, { title: 'Question saved', message: input.text })
  } catch (error) {
    await requirePage(error, () => readJourney(api, params.journeyId))
    return refuseGone(submission, error, gone)
  }
}

function requirePrompt(lift: Lift, which: number | PromptKind): Prompt {
  const prompt = lift.prompts.find(({ id }) => id === which)
  if (!prompt) throw new Response('Not Found', { status: 404 })
  return prompt
}

async function movePrompt(api: ApiClient, { params, request }: ActionFunctionArgs, formData: FormData) {
  const lift = await requireLift(api, params)
  const ids = lift.prompts.map((prompt) => prompt.id)
  const way = formData.get('way')
  const prompt = lift.prompts.find((one) => one.id === whichIn(params.prompt))
  if (!prompt && way === 'remove') return redirectWithToast(liftOf(params, request), already('removed'))
  const { id, version: stored } = requirePrompt(lift, whichIn(params.prompt))
  const seen = seenIn(formData, 'version')
  const order = seenIn(formData, 'lock_version')
  const versions =
    way === 'remove'
      ? { seen: seen.version, stored }
      : { seen: order.lock_version, stored: lift.lock_version }
  const task = { api, journeyId: String(lift.journey_id), formData, versions }
  return reorder(task, contentOf(lift), liftOf(params, request), () =>
    way === 'remove'
      ? api(deletePrompt, { id }, seen)
      : api(
          orderPrompts,
          { id: lift.id },
          {
            prompt_ids: moveOne(ids, ids.indexOf(id), way),
            ...order,
          },
        ),
  )
}

const contentOf = (lift: Lift) => ({ lifts: [{ lift_id: lift.id, content: true }] })

export default function EditPrompt() {
  const { journey, mayEdit, lift, preview, which, isThere, objectives } = useLoaderData<typeof loader>()
  const shown = { journey, lift, preview }
  const opened = useOpenedAt(lift?.prompts.length)
  return (
    <PartPage {...shown} part="question" isOpen={isThere && mayEdit}>
      <PromptFields key={`${which} ${opened}`} {...shown} which={which} objectives={objectives} />
    </PartPage>
  )
}
