import {
  type ActionFunctionArgs,
  data,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { updateLift } from '#app/api/contract/lifts.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { isAsStored } from '#app/domain/as-stored.ts'
import {
  BLOCK_KINDS,
  BlockForm,
  type BlockKind,
  blockOfForm,
  nameBlock,
} from '#app/domain/lifts/block-form.ts'
import type { Block } from '#app/domain/lifts/blocks.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { refuseGone, requirePage } from '#app/routes/gone.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import liftStylesheet from '#app/routes/lift/lift.css?url'
import { readForm } from '#app/routes/read-form.server.ts'
import { useOpenedAt } from '#app/ui/form/seen-version.tsx'
import { changesOfLift, questionBefore } from '../impact.server.ts'
import { readJourney } from '../journey.server.ts'
import { mapFieldErrors } from '../map-field-errors.server.ts'
import { moveOne, reorder } from '../reorder.server.ts'
import { liftOf } from './address.ts'
import { BlockFields } from './block-fields.tsx'
import { keepFiles } from './keep-files.server.ts'
import { readLift, requireLift } from './lift.server.ts'
import { PartPage } from './part-page.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `Page of ${isolated(data?.lift?.title ?? 'a lift')} · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell`,
  },
]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: liftStylesheet }]

function placeIn(block = ''): number | BlockKind {
  if (/^\d{1,4}$/.test(block)) return Number(block)
  const kind = BLOCK_KINDS.find((one) => one === block)
  if (!kind) throw new Response('Not Found', { status: 404 })
  return kind
}

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const place = placeIn(args.params.block)
  const shown = await readLift(api, args.params)
  const isThere = shown.lift !== null && (typeof place === 'string' || place < shown.lift.blocks.length)
  return data({ ...shown, place, isThere }, { status: isThere ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  return formData.has('way') ? moveBlock(api, args, formData) : saveBlock(api, args, formData)
}

async function saveBlock(api: ApiClient, { params, request }: ActionFunctionArgs, formData: FormData) {
  const wrong = await keepFiles(api, formData)
  const submission = readForm(formData, BlockForm)
  if (wrong) return data(submission.reply(wrong), { status: wrong.status })
  if (submission.status !== 'success') return refuse(submission)
  const { lock_version } = submission.value
  const block = blockOfForm(submission.value)
  try {
    const lift = await requireLift(api, params)
    const saved = { title: 'Page saved', message: nameBlock(block) }
    const isStale = lock_version !== lift.lock_version
    // After a double press, the second request finds it added.
    if (typeof placeIn(params.block) === 'string' && isStale && isAsStored(block, lift.blocks.at(-1)))
      return redirectWithToast(liftOf(params, request), saved)
    const { blocks, at } = placed(lift.blocks, block, placeIn(params.block))
    const changes = changesOfLift(lift, { blocks })
    const versions = { seen: lock_version, stored: lift.lock_version }
    const impact = await questionBefore(api, lift.journey_id, changes, formData, versions)
    if (impact) return data({ ...submission.reply(), impact })
    const names = { [`blocks.${at}.src`]: 'file', [`blocks.${at}.captions`]: 'captions_file' }
    try {
      await api(updateLift, { id: lift.id }, { blocks, lock_version })
    } catch (error) {
      return await refuse(submission, await mapFieldErrors(error, names))
    }
    return redirectWithToast(liftOf(params, request), saved)
  } catch (error) {
    await requirePage(error, () => readJourney(api, params.journeyId))
    return refuseGone(submission, error, 'Someone deleted this lift while you were editing.')
  }
}

/** Replaces the block that was opened; appends a new one, or one whose index another block has by now. */
function placed(blocks: readonly Block[], block: Block, place: unknown) {
  const isThere = typeof place === 'number' && blocks[place]?.kind === block.kind
  return isThere
    ? { at: place, blocks: blocks.with(place, block) }
    : { at: blocks.length, blocks: [...blocks, block] }
}

async function moveBlock(api: ApiClient, { params, request }: ActionFunctionArgs, formData: FormData) {
  const lift = await requireLift(api, params)
  const lock_version = Number(formData.get('lock_version'))
  const blocks = moveOne(lift.blocks, Number(params.block), formData.get('way'))
  const versions = { seen: lock_version, stored: lift.lock_version }
  const task = { api, journeyId: String(lift.journey_id), formData, versions }
  return reorder(task, changesOfLift(lift, { blocks }), liftOf(params, request), () =>
    api(updateLift, { id: lift.id }, { blocks, lock_version }),
  )
}

export default function EditBlock() {
  const { journey, mayEdit, lift, preview, place, isThere } = useLoaderData<typeof loader>()
  const shown = { journey, lift, preview }
  const opened = useOpenedAt(lift?.lock_version)
  return (
    <PartPage {...shown} part="block" isOpen={isThere && mayEdit}>
      <BlockFields key={`${place} ${opened}`} {...shown} place={place} />
    </PartPage>
  )
}
