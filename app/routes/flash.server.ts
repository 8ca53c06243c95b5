/**
 * The toast after a redirect. The cookie is not signed: `__Host-` keeps other hosts from setting it, it is parsed
 * strictly, shown as text, and deleted after one reading.
 */

import { randomUUID } from 'node:crypto'
import { createCookie, redirect } from '@remix-run/node'
import { z } from 'zod'
import { beginningOf } from '#app/domain/text/beginning.ts'
import { TOAST_VARIANTS, type ToastMessage } from '#app/ui/frame/toast-message.ts'

const toastCookie = createCookie('__Host-toast', {
  path: '/',
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  maxAge: 60,
})

const Toast = z.strictObject({
  title: z.string().min(1).max(200),
  message: z.string().max(500).optional(),
  variant: z.enum(TOAST_VARIANTS),
  id: z.uuid(),
})

type NewToast = Omit<ToastMessage, 'id' | 'variant'> & { variant?: ToastMessage['variant'] }

export async function redirectWithToast(url: string, toast: NewToast) {
  return redirect(url, { headers: { 'set-cookie': await setToast(toast) } })
}

/** The header that sets a toast for the next page, for answers that are not plain redirects. */
export function setToast({ title, message, variant = 'success' }: NewToast): Promise<string> {
  const words = { title: beginningOf(title, 200), message: message && beginningOf(message, 500) }
  return toastCookie.serialize({ ...words, variant, id: randomUUID() })
}

/** The pending toast, and the headers that delete its cookie. A prefetch leaves it pending. */
export async function readToast(request: Request): Promise<{ toast: ToastMessage | null; headers: Headers }> {
  const headers = new Headers()
  const purpose = request.headers.get('sec-purpose') ?? request.headers.get('purpose') ?? ''
  const cookie = request.headers.get('cookie')
  if (purpose.includes('prefetch') || !cookie?.includes(toastCookie.name)) return { toast: null, headers }

  headers.append('set-cookie', await toastCookie.serialize('', { maxAge: 0 }))
  const parsed = Toast.safeParse(await toastCookie.parse(cookie))
  return { toast: parsed.success ? parsed.data : null, headers }
}
