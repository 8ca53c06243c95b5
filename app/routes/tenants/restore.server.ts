/** What the button beside something that was deleted does. */
import { redirect } from '@remix-run/node'
import { z } from 'zod'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { wordsOf } from '#app/routes/say-why.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { already } from '#app/routes/why-not-done.server.ts'

type Scopes = {
  restoring: (id: string) => Promise<{ name: string }>
  editHref: (id: string) => string
  here: string
}

/** It comes back closed, so its form is where one goes on. */
export async function restore(form: FormData, { restoring, editHref, here }: Scopes) {
  requireIntent(form, ['restore'])
  const id = z.uuid().safeParse(form.get('id')).data
  if (!id) throw new Response('Not Found', { status: 404 })
  try {
    const { name } = await restoring(id)
    return redirectWithToast(editHref(id), {
      title: 'Restored',
      message: `${name} is inactive until you set it to active.`,
    })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { detail } = (await error.clone().json()) as { detail: unknown }
    // Of a name that is taken it speaks at a field.
    if (typeof detail === 'string') return redirectWithToast(editHref(id), already('restored'))
    return redirectWithToast(here, { title: 'Not restored', message: await wordsOf(error), variant: 'error' })
  }
}

/** What was deleted is a page of its own; the address that it had before leads there. */
export function leaveForDeleted(request: Request, to: string): void {
  const { deleted, q } = searchOf(request)
  if (deleted === 'true') throw redirect(q ? `${to}?${new URLSearchParams({ q })}` : to)
}
