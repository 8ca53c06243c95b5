/** The action of the restore button. */
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

/** A restored tenant is inactive, so its form is the next page. */
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
    // The refusal for a taken name is a field error.
    if (typeof detail === 'string') return redirectWithToast(editHref(id), already('restored'))
    return redirectWithToast(here, { title: 'Not restored', message: await wordsOf(error), variant: 'error' })
  }
}

/** Deleted ones have their own page; redirects the former URL there. */
export function leaveForDeleted(request: Request, to: string): void {
  const { deleted, q } = searchOf(request)
  if (deleted === 'true') throw redirect(q ? `${to}?${new URLSearchParams({ q })}` : to)
}
