/** When a form is refused and its page is not shown again, the refusal carries what the person had typed. */
import { type AppLoadContext, data } from '@remix-run/node'
import { refusalIn } from './refusal.server.ts'

type Args = { context: AppLoadContext }
type ReadForm = () => Promise<FormData>
type Final = { status: number; body: object }

/** Loaders too: the page that was to show the refusal may be gone by then. */
export const withWords =
  <Given extends Args, Answer>(work: (args: Given) => Answer) =>
  async (args: Given): Promise<Awaited<Answer>> => {
    try {
      return await work(args)
    } catch (error) {
      throw await keepWords(error, args.context)
    }
  }

async function keepWords(error: unknown, { found }: AppLoadContext): Promise<unknown> {
  const read = found.get('read_form') as ReadForm | undefined
  const refusal = read && (await refusalIn(error))
  if (!refusal) return error
  const { status, headers } = refusal
  const body = objectOf(refusal.body)
  if (!isFinal({ status, body })) return error
  const kept_words = await read().then(wordsOf, () => [])
  if (kept_words.length === 0) return error
  return data(
    { ...body, detail: whyOf({ status, body }), kept_words },
    { status, headers: withoutBody(headers) },
  )
}

const GONE = 'What this belongs to was deleted, or you no longer have access to it.'

/** A 404 only says that nothing is there, so it gets a better sentence; other refusals keep their own. */
function whyOf({ status, body }: Final): string {
  const detail = 'detail' in body && status !== 404 ? body.detail : undefined
  return typeof detail === 'string' ? detail : GONE
}

/** Not final: signed-out visitors, and those with something else to do first, get their whole form back. */
const isFinal = ({ status, body }: Final): boolean =>
  status >= 400 && status < 500 && !('needs' in body) && !('kept_words' in body)

function withoutBody(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name)
  return headers
}

const objectOf = (said: unknown): object =>
  typeof said === 'object' && said !== null ? said : typeof said === 'string' && said ? { detail: said } : {}

/** Fields nobody typed (buttons, ids, versions), and secrets that no page may show. */
const NOT_WRITTEN =
  /(^|[_.\]])(intent|__intent__|confirmed|sure|kind|ids?|version|revision|before|offered|asked|from|rater|way)$|password|secret/
/** Checkboxes, numbers and states, which nobody would copy. */
const NOT_WORDS = /^(on|true|false|[\d\s.,:+-]*|[[{"].*[\]}"])$/s

const wordsOf = (form: FormData) =>
  [...form].flatMap(([name, value]) => {
    const isWritten = typeof value === 'string' && !NOT_WRITTEN.test(name) && !NOT_WORDS.test(value)
    return isWritten ? [{ name, text: value }] : []
  })
