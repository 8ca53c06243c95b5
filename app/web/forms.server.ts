/** Reads each form once and refuses names no page sends: one with a large index would become as long an array. */
import { type AppLoadContext, data, type ServerBuild } from '@remix-run/node'
import { readWithoutFiles } from './form-without-files.server.ts'
import { withWords } from './kept-words.server.ts'

const SCOPE = '__place__'
const FORM_KEY = '__key__'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MAX_FIELDS = 2000
const LONGEST_NAME = 200
const HIGHEST_INDEX = 99

type Action = NonNullable<NonNullable<ServerBuild['routes'][string]>['module']['action']>

export const withForm =
  (action: Action): Action =>
  (args) =>
    withWords(action)(readingOnce(args))

/** A guard may read a form before its action does, so the parsed form is shared. */
function readingOnce<Args extends { request: Request; context: AppLoadContext }>(args: Args): Args {
  const { request, context } = args
  let reading: Promise<FormData> | undefined
  const readBy = (read: (request: Request) => Promise<FormData>) => () => {
    reading ??= read(request).then((form) => {
      for (const name of form.keys()) requirePlainName(name)
      return apart(form, request, context)
    })
    return reading
  }
  const formData = readBy(readForm)
  context.found.set('read_form', formData)
  context.found.set('read_without_files', readBy(readWithoutFiles))
  Object.defineProperty(request, 'formData', { value: formData })
  return args
}

/** Takes out the two fields that belong to no form: which scope the page was drawn for, and the idempotency key. */
function apart(form: FormData, request: Request, context: AppLoadContext): FormData {
  const mark = form.get(SCOPE) ?? new URL(request.url).searchParams.get(SCOPE)
  form.delete(SCOPE)
  if (typeof mark === 'string') context.found.set('drawn_for', mark)
  const key = form.get(FORM_KEY)
  form.delete(FORM_KEY)
  if (typeof key === 'string' && UUID.test(key)) context.found.set('form_key', key)
  return form
}

function readForm(request: Request): Promise<FormData> {
  const type = request.headers.get('content-type') ?? ''
  return /^multipart\/form-data\b/i.test(type) ? readParts(request, type) : readFields(request, type)
}

async function readFields(request: Request, type: string): Promise<FormData> {
  const text = await request.text()
  // A form without a field is sent without a type by some clients.
  if (text !== '' && !/^application\/x-www-form-urlencoded\b/i.test(type))
    throw refused(415, 'Only forms can be sent here.')
  if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) throw tooMany()
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(text)) form.append(name, value)
  return form
}

async function readParts(request: Request, type: string): Promise<FormData> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (!boundary) throw unreadable()
  const body = Buffer.from(await request.arrayBuffer())
  if (isOftenIn(body, `--${boundary}`)) throw tooMany()
  const form = await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
  if (!form) throw unreadable()
  return form
}

function isOftenIn(body: Buffer, mark: string): boolean {
  let at = -1
  for (let count = 0; count <= MAX_FIELDS + 1; count += 1) {
    at = body.indexOf(mark, at + 1)
    if (at < 0) return false
  }
  return true
}

function requirePlainName(name: string): void {
  const isPlain =
    name.length <= LONGEST_NAME &&
    [...name.matchAll(/[.[](\d+)/g)].every(([, index]) => Number(index) <= HIGHEST_INDEX)
  if (!isPlain) throw refused(400, `This form has no field “${name.slice(0, 60)}”.`)
}

const refused = (status: number, detail: string) => data({ detail }, { status })
const tooMany = () => refused(400, 'This form has too many fields.')
const unreadable = () => refused(400, 'This form cannot be read.')
