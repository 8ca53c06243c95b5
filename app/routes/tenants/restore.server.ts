/** What the button beside something that was deleted does. */

import { z } from 'zod'
import { redirectWithToast } from '#app/routes/flash.server.ts'

type Scopes = {
  restoring: (id: string) => Promise<{ name: string }>
  editHref: (id: string) => string
  here: string
}

/** It comes back closed, so its form is where one goes on. */
export async function restore(given: unknown, { restoring, editHref, here }: Scopes) {
  const id = z.uuid().safeParse(given).data
  if (!id) throw new Response('Not Found', { status: 404 })
  try {
    const { name } = await restoring(id)
    return redirectWithToast(editHref(id), {
      title: 'Restored',
      message: `${name} is inactive until you set it to active.`,
    })
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 409) throw error
    const { detail } = (await error.json()) as { detail: string | Record<string, string[]> }
    const message = typeof detail === 'string' ? detail : Object.values(detail).flat().join(' ')
    return redirectWithToast(here, { title: 'Not restored', message, variant: 'error' })
  }
}
