/** Nothing of a signed-in person is kept by a browser or a proxy, and every text says how it is written. */
import type { RequestHandler } from 'express'
import onHeaders from 'on-headers'

const TEXT_WITHOUT_CHARSET = /^(text\/[\w.+-]+|application\/(?:[\w.+-]+\+)?json)$/i

/** For all that is answered behind it; static files are answered before. */
export const keepPrivate: RequestHandler = (req, res, next) => {
  const isSignedIn = req.headers.cookie !== undefined || req.headers.authorization !== undefined
  onHeaders(res, () => {
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
