/** What was typed into a form that is refused, and whose page is not shown again, goes with the refusal. */
import { type AppLoadContext, data } from '@remix-run/node'
import { refusalIn } from './refusal.server.ts'

type Args = { context: AppLoadContext }
type ReadForm = () => Promise<FormData>
type Final = { status: number; body: object }

/** Of a loader as well: the page that was to say why may be gone by then. */
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

/** That nothing is there is said by every 404; all else in the words of the refusal. */
function whyOf({ status, body }: Final): string {
  const detail = 'detail' in body && status !== 404 ? body.detail : undefined
  return typeof detail === 'string' ? detail : GONE
}

/** Signed out, or to be done elsewhere first: the form is kept whole. */
const isFinal = ({ status, body }: Final): boolean =>
  status >= 400 && status < 500 && !('needs' in body) && !('kept_words' in body)

function withoutBody(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of ['content-type', 'content-length', 'content-encoding']) headers.delete(name)
  return headers
}

const objectOf = (said: unknown): object =>
  typeof said === 'object' && said !== null ? said : typeof said === 'string' && said ? { detail: said } : {}

/** Which button it was, of what, as last seen; and what no page may show. */
const NOT_WRITTEN =
  /(^|[_.\]])(intent|__intent__|confirmed|sure|kind|ids?|version|revision|before|offered|asked|from|rater|way)$|password|secret/
/** Checkboxes, numbers and states, which nobody would copy. */
const NOT_WORDS = /^(on|true|false|[\d\s.,:+-]*|[[{"].*[\]}"])$/s

const wordsOf = (form: FormData) =>
  [...form].flatMap(([name, value]) => {
    const isWritten = typeof value === 'string' && !NOT_WRITTEN.test(name) && !NOT_WORDS.test(value)
    return isWritten ? [{ name, text: value }] : []
  })
