/** Files in an S3 bucket: Amazon's own, or any service that accepts its signatures. */
import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import type { FileStore } from './file-store.ts'
import { StoreError } from './store-error.ts'

export type S3Settings = {
  /** The bucket's URL, with a folder inside it if wanted. */
  url: string
  region: string
  accessKeyId: string
  secretAccessKey: string
}

const PATIENCE_MS = 20_000
/** Retries of requests at which the service failed, each after a longer pause. */
const RETRIES = 2

export function createS3Store({ url, ...account }: S3Settings): FileStore {
  const client = new AwsClient({ ...account, service: 's3', retries: RETRIES })
  const base = url.replace(/\/+$/, '')

  async function ask(method: string, key: string, init: RequestInit = {}): Promise<Response> {
    const request = { ...init, method, signal: AbortSignal.timeout(PATIENCE_MS) }
    const answer = await client.fetch(`${base}/${key}`, request).catch((cause: unknown) => {
      throw new StoreError('The store of files does not answer', { cause })
    })
    if (answer.ok || (method === 'DELETE' && answer.status === 404)) return answer
    throw new StoreError(
      `The store of files answered ${method} with ${answer.status}: ${await codeOf(answer)}`,
    )
  }

  return {
    async put(key, bytes) {
      const answer = await ask('PUT', key, {
        body: new Uint8Array(bytes),
        headers: {
          'content-type': 'application/octet-stream',
          // The service compares the received bytes with this signed digest.
          'x-amz-content-sha256': createHash('sha256').update(bytes).digest('hex'),
        },
      })
      await answer.arrayBuffer()
    },
    async get(key, start, end) {
      const answer = await ask('GET', key, { headers: { range: `bytes=${start}-${end}` } })
      const bytes = Buffer.from(await answer.arrayBuffer())
      // A service without range support sends the whole file.
      return answer.status === 206 ? bytes : bytes.subarray(start, end + 1)
    },
    async remove(key) {
      await (await ask('DELETE', key)).arrayBuffer()
    },
  }
}

/** The code, such as `NoSuchBucket`: enough for a log, and nothing of ours in it. */
async function codeOf(answer: Response): Promise<string> {
  const text = await answer.text().catch(() => '')
  return /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1] ?? 'no reason given'
}
