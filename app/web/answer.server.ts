/** What the front answers when a request does not reach the site: the API's error shape, or a small page. */
import type { Request, Response } from 'express'
import { html } from 'hono/html'
import { requestsRefused } from '#app/integrations/metrics.server.ts'

export type Refusal = {
  status: number
  reason: string
  detail: string
  retryAfter?: number
  allow?: string
}

export const isApi = (path: string) => path === '/api' || path.startsWith('/api/')

/** Requested by a program or a page's script, which reads the answer instead of showing it. */
export const isForScript = (path: string) => isApi(path) || path.endsWith('.data')

export function answerRefusal(req: Request, res: Response, refusal: Refusal): void {
  requestsRefused.inc({ reason: refusal.reason })
  res.locals.refused = refusal.reason
  if (res.headersSent) return
  if (refusal.retryAfter !== undefined)
    res.set('Retry-After', String(Math.max(1, Math.ceil(refusal.retryAfter))))
  if (refusal.allow) res.set('Allow', refusal.allow)
  res.status(refusal.status)
  if (isForScript(req.path)) res.json({ has_error: true, status: refusal.status, detail: refusal.detail })
  else res.type('html').send(page(refusal, res.locals.nonce, res.locals.request_id))
}

export function page(
  { status, detail, heading }: Pick<Refusal, 'status' | 'detail'> & { heading?: string | undefined },
  nonce: string,
  requestId: string,
): string {
  const passes = (status >= 500 || status === 429) && !detail.includes('try again')
  const again = passes ? 'Please try again in a moment.' : ''
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Error ${status}</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
  main { max-width: 40rem; margin: 15vh auto 0; padding: 0 1.5rem }
  small { opacity: .75 }
</style>
</head>
<body>
<main>
<h1>${heading ?? HEADINGS[status] ?? 'This did not work'}</h1>
<p>${detail} ${again}</p>
<p><a href="/">Go back home</a></p>
<p><small>Error ${status}, request ${requestId}</small></p>
</main>
</body>
</html>
`)
}

const HEADINGS: Record<number, string> = {
  400: 'This could not be accepted',
  403: 'Not allowed from here',
  404: 'Not Found',
  413: 'Too large',
  415: 'This could not be accepted',
  429: 'Too many requests',
  500: 'Something went wrong!',
  503: 'Liftwell is busy',
}
