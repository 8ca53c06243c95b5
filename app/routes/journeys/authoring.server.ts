/** What the dialogs of the schedule show beside its timeline: objectives, one block, one question. */

import { z } from 'zod'
import type { ApiClient } from '#app/api/client.server.ts'
import { encodePath } from '#app/api/path.ts'
import { BLOCK_KINDS } from '#app/domain/lifts/block-form.ts'
import { Lift } from '#app/domain/lifts/lift.ts'
import { PROMPT_KINDS } from '#app/domain/lifts/prompt.ts'
import { Objectives } from '#app/domain/objectives/objective.ts'

const number = z.coerce.number().int().min(0)
const Search = z.object({
  lift: number.optional().catch(undefined),
  create: z.stringbool().catch(false),
  objectives: z.stringbool().catch(false),
  /** One there is, by id or place; a new one by its kind. */
  objective: number.optional().catch(undefined),
  /** The question before one goes. */
  remove_objective: number.optional().catch(undefined),
  block: z
    .union([number, z.enum(BLOCK_KINDS)])
    .optional()
    .catch(undefined),
  prompt: z
    .union([number, z.enum(PROMPT_KINDS)])
    .optional()
    .catch(undefined),
})

export const readSubject = (request: Request) =>
  Search.parse(Object.fromEntries(new URL(request.url).searchParams))

export type Authoring = Awaited<ReturnType<typeof readAuthoring>>

export async function readAuthoring(api: ApiClient, journeyId: string, request: Request) {
  const subject = readSubject(request)
  const asked = subject.objectives || subject.create || subject.lift !== undefined
  const objectives = asked
    ? (await api.get(encodePath`/lljs/${journeyId}/learning_objectives`, Objectives)).data
    : []
  return { subject, objectives }
}

/** The lift that is written on, of the journey in the address and of no other. */
export async function liftOf(api: ApiClient, journeyId: string, request: Request): Promise<Lift> {
  const lift = await api.get(encodePath`/lifts/${readSubject(request).lift ?? 0}`, Lift)
  if (String(lift.journey_id) !== journeyId) throw new Response('Not Found', { status: 404 })
  return lift
}
