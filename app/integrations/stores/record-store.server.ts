/** The record store's API (xAPI 1.0.3): batches of statements, with a version header and Basic authentication. */

import { XAPI_VERSION } from '#app/integrations/xapi-version.ts'
import { type RecordStore, RecordStoreError } from './record-store.ts'

export type RecordStoreSettings = {
  /** The URL whose `statements` path takes them. */
  url: string
  key: string
  secret: string
}

const PATIENCE_MS = 15_000

export function createRecordStore(settings: RecordStoreSettings): RecordStore {
  return {
    host: new URL(settings.url).host,
    send: (statements) => send(settings, statements),
  }
}

/** One refused statement fails its whole batch, so the batch is halved until it is found. */
async function send(
  settings: RecordStoreSettings,
  statements: readonly object[],
): ReturnType<RecordStore['send']> {
  if (statements.length === 0) return { conflicts: 0 }
  const answer = await post(settings, statements)
  if (answer.ok) {
    await requireIds(answer, statements.length)
    return { conflicts: 0 }
  }
  await answer.body?.cancel()
  const isOfSome = answer.status === 409 || answer.status === 413
  if (isOfSome && statements.length > 1) {
    const half = Math.ceil(statements.length / 2)
    const first = await send(settings, statements.slice(0, half))
    const second = await send(settings, statements.slice(half))
    return { conflicts: first.conflicts + second.conflicts }
  }
  if (answer.status === 409) return { conflicts: 1 }
  throw refusalOf(answer.status)
}

async function post({ url, key, secret }: RecordStoreSettings, statements: readonly object[]) {
  try {
    return await fetch(`${url.replace(/\/$/, '')}/statements`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${key}:${secret}`).toString('base64')}`,
        'content-type': 'application/json',
        'x-experience-api-version': XAPI_VERSION,
      },
      body: JSON.stringify(statements),
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
  } catch (cause) {
    throw new RecordStoreError('The learning record store gives no answer.', { isPassing: true, cause })
  }
}

/** A record store answers with the ids it holds now; anything else is no record store. */
async function requireIds(answer: Response, many: number): Promise<void> {
  const ids: unknown = await answer.json().catch(() => null)
  if (Array.isArray(ids) && ids.length === many) return
  throw new RecordStoreError('What answers there is no learning record store.', { isPassing: false })
}

function refusalOf(status: number): RecordStoreError {
  const refused = (message: string, isPassing = false) => new RecordStoreError(message, { isPassing })
  if (status === 401 || status === 403) return refused('The learning record store refused the sign-in.')
  if (status === 404) return refused('There is no learning record store at its address.')
  if (status === 413) return refused('A statement is too large for the learning record store.')
  if (status === 429 || status >= 500)
    return refused(`The learning record store cannot take statements at the moment (HTTP ${status}).`, true)
  return refused(`The learning record store refused the statements (HTTP ${status}).`)
}
