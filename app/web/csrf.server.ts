/** Refuses changes that do not come from the site itself. Scripts with cookies name it: `-H 'Origin: https://the.site'`. */
import type { Request, RequestHandler } from 'express'
import { answerRefusal } from './answer.server.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

export const refuseForgery =
  (origin: () => URL): RequestHandler =>
  (req, res, next) => {
    const why = forgery(req, origin().origin)
    if (!why) return next()
    answerRefusal(req, res, { status: 403, reason: 'csrf', detail: why })
  }

/** Why a request may be forged; null when it may pass. */
function forgery(req: Request, own: string): string | null {
  if (SAFE_METHODS.has(req.method)) return null
  const site = req.get('Sec-Fetch-Site')
  const origin = req.get('Origin')

  // 'none': the person acted directly, as when the browser sends a form again after a restart.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return foreign(own)
  if (origin !== undefined && origin !== own) return foreign(own)
  // Without cookies a request has no authority beyond its own token or signature.
  if (site === undefined && origin === undefined && req.headers.cookie !== undefined)
    return 'This request carries cookies and does not say where it comes from: send an Origin header.'
  return null
}

const foreign = (own: string) => `This was sent from an address other than ${own}. Open ${own} and try again.`
