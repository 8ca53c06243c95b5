/** Reads a filled-in form and sends it to the API: to save a part of it, or to submit it. */

import { data } from '@remix-run/node'
import type { ApiClient } from '#app/api/client.server.ts'
import { fillInAssessment } from '#app/api/contract/assessments.ts'
import { inTime, refusalOf } from '#app/api/refuse.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import type { KeptWords } from '#app/ui/form/kept-words.tsx'
import { wordsOf } from './item-field.tsx'

type Params = { readonly [name: string]: string | undefined }
type Detail = string | Record<string, string[]>

/** The input by field name, and its errors. */
export type FillRefused = {
  problem: string | null
  errors: Record<string, string[]>
  typed: Record<string, string>
}

const AT_FIELDS = [409, 422, 429, 503]
/** Statuses after which the page itself can no longer be shown. */
const GONE = [403, 404]
const WHY_GONE = 'You can no longer fill in this assessment.'

export async function saveAnswers(api: ApiClient, params: Params, request: Request) {
  const formData = await request.formData()
  const url = `/lljs/${params.journeyId}/assessments/${params.userId}`
  const submit = requireIntent(formData, ['save', 'submit']) === 'submit'
  const assessment = Number(formData.get('assessment'))
  const typed = Object.fromEntries([...formData].map(([name, value]) => [name, String(value)]))
  const unknown = Object.keys(typed).find((name) => !isKnown(name))
  if (unknown !== undefined) return refuse(typed, `This form has no field “${unknown.slice(0, 60)}”.`, 400)
  const { rater, answers_version } = typed as { rater?: 'self'; answers_version?: string }
  const seen = { revision: Number(typed.revision), answers_version }
  const body = { answers: answersOf(typed), submit, rater, ...seen }
  try {
    await api(fillInAssessment, { id: assessment, userId: params.userId }, body)
  } catch (error) {
    const refusal = refusalOf(error)
    if (GONE.includes(refusal.status))
      throw data<KeptWords>({ detail: WHY_GONE, kept_words: wordsOf(typed) }, { status: refusal.status })
    if (!AT_FIELDS.includes(refusal.status)) throw error
    const { detail } = (await refusal.json()) as { detail: Detail }
    return refuse(typed, typeof detail === 'string' ? inTime(detail, refusal) : detail, refusal.status)
  }
  return submit
    ? redirectWithToast(url, { title: 'Submitted', message: 'Thank you.' })
    : redirectWithToast(`${url}?assessment=${assessment}`, {
        title: 'Saved',
        message: 'Not submitted yet.',
        variant: 'info',
      })
}

function refuse(typed: Record<string, string>, detail: Detail, status: number) {
  const refused: FillRefused =
    typeof detail === 'string'
      ? { problem: detail, errors: {}, typed }
      : { problem: null, errors: detail, typed }
  return data(refused, { status })
}

const OF_FORM = ['intent', 'assessment', 'rater', 'revision', 'answers_version']
const isKnown = (name: string): boolean =>
  OF_FORM.includes(name) || /^(scale|choice|text):\d{1,15}$/.test(name)

/** Fields are named `scale:7`: the kind of item and its id. */
function answersOf(typed: Record<string, string>) {
  return Object.entries(typed).flatMap(([name, value]) => {
    const [kind = '', id] = name.split(':')
    if (id === undefined) return []
    const answer = value === '' ? null : kind === 'scale' ? Number(value) : value
    return [{ item_id: Number(id), value: Number.isNaN(answer) ? value : answer }]
  })
}
