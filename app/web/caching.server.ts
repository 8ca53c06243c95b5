/** No page of a signed-in person is kept by a browser or a proxy, and every text says how it is written. */
import type { Request, RequestHandler } from 'express'
import onHeaders from 'on-headers'

const TEXT_WITHOUT_CHARSET = /^(text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?json)$/i

/** A file never changes: the browser of a person who may see it keeps it, for the session that asked. */
const KEPT = /^private, max-age=\d+, immutable$/

/** What a link loads ahead is for the click that follows, if nothing is sent in between. */
const AHEAD = 'private, max-age=5'
/** Another after each form: what was loaded ahead of it was for other cookies (`Vary`). */
const SENT_COOKIE = '__Host-sent'

/** For all that is answered behind it; static files are answered before. */
export const keepPrivate: RequestHandler = (req, res, next) => {
  const isSignedIn = req.headers.cookie !== undefined || req.headers.authorization !== undefined
  onHeaders(res, () => {
    // What the site says comes after what was said for it.
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
