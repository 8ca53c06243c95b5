/** Adds the people who are ticked; refused, they come back ticked. */
import { data } from '@remix-run/node'
import type { NotAdded } from '#app/ui/list/pick-people.tsx'
import { reason } from './journeys/reason.server.ts'

export async function addTicked<Added>(formData: FormData, add: (user_ids: number[]) => Promise<Added>) {
  const ticked = [...new Set(formData.getAll('user_ids').map(Number))].filter(Number.isSafeInteger)
  const refuse = (problem: string) => data<NotAdded>({ problem, ticked }, { status: 422 })
  if (ticked.length === 0) return refuse('Please tick at least one person.')
  try {
    return await add(ticked)
  } catch (error) {
    return refuse(await reason(error))
  }
}
