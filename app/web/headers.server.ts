/** The security headers of every response, no matter which layer writes it. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import helmet from 'helmet'
import { REPORTS_PATH } from './browser-reports.server.ts'

const YEAR_SECONDS = 31_536_000

/** Features no page uses. Copying a secret to the clipboard stays with our own pages. */
const PERMISSIONS = [
  ...[
    'browsing-topics',
    'camera',
    'display-capture',
    'geolocation',
    'microphone',
    'payment',
    'serial',
    'usb',
  ].map((feature) => `${feature}=()`),
  'clipboard-write=(self)',
].join(', ')

/** For responses that do not come from the site: they contain nothing to run or to show. */
export const PLAIN_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': PERMISSIONS,
  'Referrer-Policy': 'same-origin',
  'Strict-Transport-Security': `max-age=${YEAR_SECONDS}; includeSubDomains`,
  'X-Content-Type-Options': 'nosniff',
}

/** Gives each request its id and the nonce of its response's Content-Security-Policy. */
export const nameRequest: RequestHandler = (_req, res, next) => {
  res.locals.request_id = randomUUID()
  res.locals.nonce = randomBytes(16).toString('base64url')
  res.set('X-Request-Id', res.locals.request_id)
  next()
}

export type HeaderOptions = {
  isHttps: boolean
  isDevelopment: boolean
  /** With another server behind the screens, logos come from the addresses it gives. */
  hasForeignLogos?: boolean
}

export function securityHeaders({
  isHttps,
  isDevelopment,
  hasForeignLogos = false,
}: HeaderOptions): RequestHandler {
  const nonce = (_req: unknown, res: unknown) =>
    `'nonce-${(res as { locals: { nonce: string } }).locals.nonce}'`
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [nonce, "'strict-dynamic'"],
        // Vite injects styles into the page in development.
        styleSrc: isDevelopment ? ["'self'", "'unsafe-inline'"] : ["'self'", nonce],
        // React writes sizes and positions as style attributes.
        styleSrcAttr: ["'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', ...(hasForeignLogos ? ['https:'] : [])],
        fontSrc: ["'self'"],
        connectSrc: isDevelopment ? ["'self'", 'ws:'] : ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        frameSrc: ["'none'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        reportTo: ['site'],
        ...(isHttps && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: { maxAge: YEAR_SECONDS, includeSubDomains: true },
    // Sends no addresses to other sites, but lets our own forms say where they come from.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
    xPoweredBy: false,
  })
  return (req, res, next) => {
    res.set('Permissions-Policy', PERMISSIONS)
    res.set('Reporting-Endpoints', `site="${REPORTS_PATH}"`)
    secure(req, res, next)
  }
}
