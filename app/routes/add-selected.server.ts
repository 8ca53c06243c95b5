/** Adds the selected people; if refused, the form comes back with the selection and its other input. */
import { data } from '@remix-run/node'
import type { NotAdded } from '#app/ui/list/pick-people.tsx'
import { reason } from './journeys/reason.server.ts'

export async function addSelected<Added>(formData: FormData, add: (user_ids: number[]) => Promise<Added>) {
  const selected = [...new Set(formData.getAll('user_ids').map(Number))].filter(Number.isSafeInteger)
  const initialValue = Object.fromEntries(formData) as Record<string, string>
  const refuse = (problem: string) => data<NotAdded>({ problem, selected, initialValue }, { status: 422 })
  if (selected.length === 0) return refuse('Please select at least one person.')
  try {
    return await add(selected)
  } catch (error) {
    return refuse(await reason(error))
  }
}
