/** Endpoints for operators and their machines: health, readiness, metrics, and the security contact. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import type { Config } from '#app/config.server.ts'
import { registry } from '#app/integrations/metrics.server.ts'
import { measureAll } from '#app/integrations/whole-metrics.server.ts'

export type Health = {
  isReady(): Promise<boolean>
  isDraining(): boolean
}
type Settings = Pick<Config, 'METRICS_TOKEN'> & { origin(): URL }

/** One database check answers every readiness request within this time. */
const READINESS_MS = 500
const CONTACT_DAYS = 180

export function operations({ METRICS_TOKEN, origin }: Settings, health: Health): Router {
  const isReady = remember(health.isReady, READINESS_MS)
  const router = Router()
  router.use((_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  router.get('/healthz', (_req, res) => void res.json({ status: 'ok' }))
  router.get('/readyz', async (_req, res) => {
    if (health.isDraining()) return notReady(res, 'draining')
    if (!(await isReady())) return notReady(res, 'not ready')
    res.json({ status: 'ready' })
  })
  router.get('/metrics', async (req, res) => {
    if (!mayMeasure(req, res, METRICS_TOKEN)) return void res.status(403).type('text').send('Forbidden\n')
    res.type(registry.contentType).send(await measureAll())
  })
  router.get('/.well-known/security.txt', (_req, res) => void res.type('text').send(securityText(origin())))
  return router
}

function notReady(res: Response, status: string): void {
  res.status(503).set('Retry-After', '2').json({ status })
}

function mayMeasure(req: Request, res: Response, token: string | undefined): boolean {
  if (token === undefined) return res.locals.isDirectLoopback === true
  const given = req.get('Authorization')?.match(/^Bearer (.+)$/i)?.[1]
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function securityText(own: URL): string {
  const expires = new Date(Date.now() + CONTACT_DAYS * 86_400_000).toISOString()
  return [
    `Contact: mailto:security@${own.hostname}`,
    `Expires: ${expires}`,
    'Preferred-Languages: en',
    `Canonical: ${own.origin}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** Asks once for all callers within `ms`, on the monotonic clock; a failure counts as no. */
function remember(ask: () => Promise<boolean>, ms: number): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  let askedAt = 0
  return () => {
    if (!answer || performance.now() - askedAt > ms) {
      askedAt = performance.now()
      answer = ask().catch(() => false)
    }
    return answer
  }
}
