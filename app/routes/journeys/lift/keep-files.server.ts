/** Stores the files of a form first: whatever is wrong with other fields, none has to be chosen again. */

import type { ApiClient } from '#app/api/client.server.ts'
import { uploadFile } from '#app/api/contract/files.ts'
import { UNKNOWN_TYPE, whyUnfit } from '#app/domain/files/upload.ts'

/** Replaces each file in the form by its path; returns the errors of files that were refused. */
export async function keepFiles(api: ApiClient, formData: FormData): Promise<Wrong | null> {
  const kind = String(formData.get('kind'))
  const fieldErrors: Record<string, string[]> = {}
  let status = 422
  for (const [field, kept, part] of [
    ['file', 'src', kind],
    ['captions_file', 'captions', 'captions'],
  ] as const) {
    const file = formData.get(field)
    formData.delete(field)
    if (!(file instanceof File) || file.size === 0) continue
    const taken = await take(api, part === 'captions' ? asCaptions(file) : file, part)
    if (taken.src) formData.set(kept, taken.src)
    else {
      fieldErrors[field] = taken.why
      if (taken.isAway) status = 503
    }
  }
  return Object.keys(fieldErrors).length > 0 ? { fieldErrors, status } : null
}

type Wrong = { fieldErrors: Record<string, string[]>; status: number }

/** Whatever type the browser gives a .vtt file. */
const asCaptions = (file: File) => new File([file], file.name, { type: 'text/vtt' })

type Taken = { src?: string; why: string[]; isAway?: boolean }

async function take(api: ApiClient, file: File, part: string): Promise<Taken> {
  try {
    const { src, content_type } = await api(uploadFile, { file })
    const why = whyUnfit(part, content_type)
    return why === null ? { src, why: [] } : { why: [why] }
  } catch (error) {
    if (isAway(error))
      return { why: ['Files cannot be kept right now. Please try again in a while.'], isAway: true }
    if (!(error instanceof Response) || error.status !== 422) throw error
    const { detail } = (await error.json()) as { detail: string | Record<string, string[]> }
    const said = typeof detail === 'string' ? [detail] : Object.values(detail).flat()
    return { why: said.map((one) => (one === UNKNOWN_TYPE ? (whyUnfit(part, '') ?? one) : one)) }
  }
}

const isAway = (error: unknown): boolean =>
  error instanceof Error && (error.cause as { status?: unknown } | undefined)?.status === 503
