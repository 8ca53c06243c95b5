/** Serves what the build left for browsers: known files only, in the smallest form the browser takes. */
import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import express, { type Request, type RequestHandler } from 'express'

const YEAR_SECONDS = 31_536_000
const HOUR_SECONDS = 3600
const FORMS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const

export function serveFiles(folder: string): RequestHandler {
  const files = listFiles(folder)
  const send = express.static(folder, {
    index: false,
    redirect: false,
    dotfiles: 'allow',
    cacheControl: false,
  })

  return (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD'
    const path = req.path
    if (!isRead || !files.has(path) || FORMS.some(({ suffix }) => path.endsWith(suffix))) return next()

    const isHashed = path.startsWith('/assets/')
    const lifetime = isHashed ? `max-age=${YEAR_SECONDS}, immutable` : `max-age=${HOUR_SECONDS}`
    res.set('Cache-Control', `public, ${lifetime}`)

    const forms = FORMS.filter(({ suffix }) => files.has(path + suffix))
    if (forms.length > 0) res.vary('Accept-Encoding')
    const form = forms.find(({ encoding }) => accepts(req, encoding))
    if (form) {
      res.type(path.slice(path.lastIndexOf('.')))
      res.set('Content-Encoding', form.encoding)
      req.url = path + form.suffix
    }
    send(req, res, next)
  }
}

const accepts = (req: Request, encoding: string) =>
  (req.get('Accept-Encoding') ?? '').split(',').some((offer) => {
    const [name, quality] = offer.trim().split(/\s*;\s*q=/)
    return name === encoding && Number(quality ?? 1) > 0
  })

function listFiles(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Set(
    entries.map((entry) => join(entry.parentPath, entry.name).slice(folder.length).split(sep).join('/')),
  )
}
