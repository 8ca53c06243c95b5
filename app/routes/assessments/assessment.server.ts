import type { ApiClient } from '#app/api/client.server.ts'
import { listAssessments } from '#app/api/contract/assessments.ts'
import { noPermission } from '#app/routes/guards.server.ts'

type Params = { readonly [name: string]: string | undefined }

/** Null if it was deleted, and for a new one. */
export async function readAssessment(api: ApiClient, { journeyId, assessmentId }: Params) {
  const { journey, assessments } = await api(listAssessments, { id: journeyId }, { per_page: 1 })
  if (!journey.may_edit || journey.status === 'archived') throw noPermission()
  return { journey, assessment: assessments.find(({ id }) => String(id) === assessmentId) ?? null }
}

export async function requireAssessment(api: ApiClient, params: Params) {
  const { assessment } = await readAssessment(api, params)
  if (!assessment) throw new Response('Not Found', { status: 404 })
  return assessment
}
