/** Shared by the pages of the second factor and the password. */
import { data } from '@remix-run/node'
import type { z } from 'zod'
import { redirectTarget } from '#app/auth/redirect-target.ts'
import { saveForm } from '#app/routes/save-form.server.ts'

export const SECURITY = '/settings/security'

/** The URL of another of these pages, keeping the destination of a visitor who was led here on the way. */
export function onTheWay({ url }: Request, path: string): string {
  const wanted = new URL(url).searchParams.get('redirect')
  if (wanted === null) return path
  return `${path}?${new URLSearchParams({ needed: 'true', redirect: redirectTarget(wanted) })}`
}

export const nextAfter = ({ url }: Request): string =>
  redirectTarget(new URL(url).searchParams.get('redirect'), SECURITY)

/** Errors are returned without passwords. */
export async function saveSecret<Schema extends z.ZodType>(
  sent: FormData,
  schema: Schema,
  save: (value: z.output<Schema>) => Promise<Response>,
) {
  const answer = await saveForm(sent, schema, save)
  if (answer instanceof Response) return answer
  const kept = Object.entries(answer.data.initialValue ?? {}).filter(([name]) => !name.includes('password'))
  return data({ ...answer.data, initialValue: Object.fromEntries(kept) }, answer.init ?? {})
}
