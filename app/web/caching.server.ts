/** No browser or proxy keeps a page of a signed-in person, and every text response names its charset. */
import type { Request, RequestHandler } from 'express'
import onHeaders from 'on-headers'

const TEXT_WITHOUT_CHARSET = /^(text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?json)$/i

/** A file never changes: the browser of a person who may see it keeps it for that session (`Vary: Cookie`). */
const KEPT = /^private, max-age=\d+, immutable$/

/** A prefetched page serves the click that follows, unless a form is sent in between. */
const AHEAD = 'private, max-age=5'
/** Changes with each form sent, so that `Vary: Cookie` discards pages prefetched before it. */
const SENT_COOKIE = '__Host-sent'

/** For everything behind this middleware; static files are answered before it. */
export const keepPrivate: RequestHandler = (req, res, next) => {
  const isSignedIn = req.headers.cookie !== undefined || req.headers.authorization !== undefined
  onHeaders(res, () => {
    // The site's own header comes after the defaults set for it.
    const said = String([res.getHeader('Cache-Control')].flat().at(-1))
    if (req.path.startsWith('/files/') && KEPT.test(said) && !res.hasHeader('Set-Cookie')) {
      res.setHeader('Cache-Control', said)
      res.setHeader('Vary', 'Cookie')
      return
    }
    if (req.headers.cookie !== undefined && !/^(GET|HEAD)$/.test(req.method))
      res.cookie(SENT_COOKIE, res.locals.request_id, { httpOnly: true, secure: true, sameSite: 'lax' })
    if (isData(req) && isAhead(req) && res.statusCode === 200 && !res.hasHeader('Set-Cookie')) {
      res.setHeader('Cache-Control', AHEAD)
      res.vary('Cookie')
      return
    }
    if (isSignedIn || res.hasHeader('Set-Cookie') || !res.hasHeader('Cache-Control')) {
      res.setHeader('Cache-Control', 'no-store')
      res.removeHeader('ETag')
      res.removeHeader('Last-Modified')
      res.removeHeader('Expires')
    }
    const type = res.getHeader('Content-Type')
    if (typeof type === 'string' && TEXT_WITHOUT_CHARSET.test(type))
      res.setHeader('Content-Type', `${type}; charset=utf-8`)
  })
  next()
}

const isData = ({ method, path }: Request) => method === 'GET' && path.endsWith('.data')

const isAhead = ({ headers }: Request) =>
  [headers['sec-purpose'], headers.purpose].some((purpose) => String(purpose).startsWith('prefetch'))
