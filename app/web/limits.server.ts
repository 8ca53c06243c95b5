/** Limits on any request: its method, its URL, the size and encoding of its body. */
import { finished } from 'node:stream'
import type { Request, RequestHandler, Response } from 'express'
import { ANSWER_BYTES, LIST_BYTES, PICTURE_BYTES, UPLOAD_BYTES } from '#app/api/contract/limits.ts'
import { answerRefusal, isApi, isForScript } from './answer.server.ts'
import { callOf } from './call-of.server.ts'

/** Bodies that carry no file and no list. */
export const SMALL_BYTES = 100_000
/** Forms that carry a logo, pictures of up to 2 MB in base64 included. */
const PICTURE_FORM = /^\/(settings|tenants|subtenants)(\/|$)/
/** Forms with answers to a lift, larger than an answer may be: its field refuses a long one and keeps its text. */
const ANSWER_FORM = /^\/lift\/\d+\/?$/
/** Forms that carry a list of people, or a journey as text. */
const LIST_FORM = /^\/(users\/import|lljs\/(manage|\d+\/people)\/import)\/?$/
/** A block's form carries an author's file; the others accept as much, to refuse a larger file at its field. */
const FILE_FORM =
  /^\/(lljs\/\d+\/lifts\/\d+\/blocks\/\w+\/?$|(settings|tenants|subtenants)(\/|$)|users\/import\/?$)/
/** A file that is far too large is still read up to here, so that the browser sees the answer. */
const DISCARDED_BYTES = 64_000_000
const URL_CHARACTERS = 8000

const PAGE_METHODS = 'GET, HEAD, POST'
const API_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE'

export const limitMethods: RequestHandler = (req, res, next) => {
  const allow = isApi(req.path) ? API_METHODS : PAGE_METHODS
  if (allow.split(', ').includes(req.method)) return next()
  answerRefusal(req, res, {
    status: 405,
    reason: 'method',
    detail: 'This method is not allowed here.',
    allow,
  })
}

export const limitAddresses: RequestHandler = (req, res, next) => {
  if (req.url.length > URL_CHARACTERS)
    return answerRefusal(req, res, { status: 414, reason: 'address', detail: 'This address is too long.' })
  if (isWellFormed(req.url) && hasOneHost(req)) return next()
  answerRefusal(req, res, { status: 400, reason: 'address', detail: 'This address is not well-formed.' })
}

const hasOneHost = (req: Request) =>
  req.rawHeaders.filter((name, i) => i % 2 === 0 && /^host$/i.test(name)).length < 2

/** A path that starts at the root and decodes to text without control characters. */
function isWellFormed(url: string): boolean {
  if (!url.startsWith('/')) return false
  const path = url.split('?', 1)[0] ?? ''
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    return !/[\u0000-\u001f\u007f\\]/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}

/** Compressed bodies are refused: a few bytes could unfold to any size. */
export const limitBodies: RequestHandler = (req, res, next) => {
  if (req.headers['content-encoding'] !== undefined) {
    const detail = 'Send the body without Content-Encoding.'
    return answerRefusal(req, res, { status: 415, reason: 'encoding', detail })
  }
  const limit = limitOf(req)
  if (Number(req.headers['content-length'] ?? 0) > limit) return refuseBody(req, res, limit)
  if (req.headers['transfer-encoding'] !== undefined) countBody(req, res, limit)
  res.on('finish', () => {
    if (!req.readableEnded) discardBody(req)
  })
  next()
}

function limitOf(req: Request): number {
  if (isApi(req.path)) return callOf(req)?.bytes ?? SMALL_BYTES
  const path = req.path.replace(/\.data$/, '')
  const hasFile = /^multipart\/form-data\b/i.test(req.headers['content-type'] ?? '')
  if (hasFile && FILE_FORM.test(path)) return UPLOAD_BYTES
  if (LIST_FORM.test(path)) return LIST_BYTES
  if (ANSWER_FORM.test(path)) return ANSWER_BYTES
  return PICTURE_FORM.test(path) ? PICTURE_BYTES : SMALL_BYTES
}

const TOO_LARGE = 'This is too large.'
const KEPT = 'Nothing was saved. Go back in your browser: what you typed is still there.'

function refuseBody(req: Request, res: Response, limit: number): void {
  const sizes: Record<number, string> = {
    [UPLOAD_BYTES]: '25 MB',
    [LIST_BYTES]: '10 MB',
    [ANSWER_BYTES]: '2 MB',
    [PICTURE_BYTES]: '3 MB (2 MB for a picture)',
  }
  const size = sizes[limit] ?? '100 kB'
  answerRefusal(req, res, {
    status: 413,
    reason: 'size',
    detail: `This is too large: at most ${size} can be sent. ${isForScript(req.path) ? '' : KEPT}`.trim(),
  })
  discardBody(req)
}

/** Discards the rest of a body that nobody reads: left unread, it would block the next request on the connection. */
function discardBody(req: Request): void {
  let discarded = 0
  req.removeAllListeners('data')
  req.on('data', (chunk: Buffer) => {
    discarded += chunk.length
    if (discarded > DISCARDED_BYTES) req.socket.destroy()
  })
  req.resume()
}

/** Counts a body of undeclared length as it arrives; past the limit it answers 413 here and gives the reader an error. */
function countBody(req: Request, res: Response, limit: number): void {
  const push = req.push.bind(req)
  let received = 0
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    received += chunk?.length ?? 0
    if (received <= limit) return push(chunk, encoding)
    if (!req.destroyed) {
      answerRefusal(req, res, { status: 413, reason: 'size', detail: TOO_LARGE })
      failReader(req)
    }
    if (received > DISCARDED_BYTES) req.socket.destroy()
    return true
  }
}

/** Fails the reader of a body with an error it recognizes as a refusal, and keeps the connection open for the answer. */
function failReader(req: Request): void {
  finished(req, () => {})
  req._destroy = (error, done) => done(error)
  req.destroy(Object.assign(new Error(TOO_LARGE), { status: 413 }))
}
