/** Moves or removes things in a list: lifts, blocks, questions. */
import { data } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import type { DraftChanges } from '#app/domain/planning/preview/preview.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { already, isGone } from '#app/routes/why-not-done.server.ts'
import { isStale, questionBefore, type Versions } from './impact.server.ts'

/** Moves one item of a list up or down, or removes it. */
export function moveOne<Thing>(
  things: readonly Thing[],
  place: number,
  way: FormDataEntryValue | null,
): Thing[] {
  const rest = things.filter((_, index) => index !== place)
  const thing = things[place]
  if (thing === undefined || way === 'remove') return rest
  rest.splice(Math.max(0, way === 'up' ? place - 1 : place + 1), 0, thing)
  return rest
}

type Task = { api: ApiClient; journeyId: string; formData: FormData; versions: Versions }

/** Removing something asks for confirmation first; for an outdated page, `work` refuses it without asking. */
export async function reorder(
  { api, journeyId, formData, versions }: Task,
  changes: DraftChanges,
  url: string,
  work: () => Promise<unknown>,
) {
  return orShowNow(url, async () => {
    const impact = await questionBefore(api, journeyId, changes, formData, versions)
    const isUnsure = formData.get('way') === 'remove' && !formData.has('confirmed') && !isStale(versions)
    const posted = [...formData].map(([name, value]) => [name, String(value)])
    if (impact || isUnsure) return data({ impact, again: Object.fromEntries(posted) })
    await work()
    return redirectWithToast(url, { title: formData.get('way') === 'remove' ? 'Removed' : 'Moved' })
  })
}

/** For forms without input: what was done meanwhile, also by a first press, is simply shown. */
export async function orShowNow<Done>(url: string, work: () => Promise<Done>) {
  try {
    return await work()
  } catch (error) {
    if (isGone(error)) return redirectWithToast(url, already('removed'))
    if (!(error instanceof Response) || (error.status !== 409 && error.status !== 422)) throw error
    const message = (await whyNotOrdered(error)) ?? CHANGED
    return redirectWithToast(url, { title: 'Not changed', message, variant: 'warning' })
  }
}

const CHANGED = 'This was changed after you opened the page. Here is the latest version.'

/** The reason if some lift would never come in this order. */
async function whyNotOrdered(error: Response): Promise<string | undefined> {
  const { detail } = (await error.json()) as { detail?: { order?: string[] } }
  return detail?.order?.join(' ')
}
