import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { deleteObjective, listObjectives } from '#app/api/contract/objectives.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { seenIn } from '#app/routes/seen.server.ts'
import { whyNotDone } from '#app/routes/why-not-done.server.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'

const listOf = (journeyId: string | undefined) => encodePath`/lljs/${journeyId}/objectives`
const wordOf = (uses: number) => (uses > 0 ? 'Retire' : 'Delete')

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: data ? `${wordOf(data.uses)} ${isolated(data.code)}? · Liftwell` : 'Learning objective · Liftwell',
  },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const list = listOf(args.params.journeyId)
  const objective = await find(args, api)
  if (!objective) throw redirect(list)
  return { ...objective, list }
}

async function find({ params }: LoaderFunctionArgs, api: ApiClient) {
  const { data } = await api(listObjectives, { id: params.journeyId })
  return data.find(({ id }) => String(id) === params.objectiveId)
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const list = listOf(args.params.journeyId)
  const seen = seenIn(await args.request.formData(), 'lock_version')
  const objective = await find(args, api)
  try {
    await api(deleteObjective, { id: args.params.objectiveId }, seen)
  } catch (error) {
    return redirectWithToast(list, await whyNotDone(error, 'removed'))
  }
  return redirectWithToast(list, { title: `Objective ${objective?.uses ? 'retired' : 'deleted'}` })
}

export default function RemoveObjective() {
  const { code, text, uses, lock_version, list } = useLoaderData<typeof loader>()
  const word = wordOf(uses)
  return (
    <ConfirmDialog
      title={`${word} ${isolated(code)}?`}
      subtitle={text}
      message={
        uses > 0
          ? `It is used ${uses === 1 ? 'once' : `${uses} times`}. Past results stay; you cannot tag anything new with it.`
          : 'Nothing uses it. It is deleted for good.'
      }
      continueText={`Yes, ${word.toLowerCase()}`}
      cancelHref={list}
      variant="error"
      fields={{ lock_version }}
    />
  )
}
