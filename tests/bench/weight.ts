/** How many bytes a page transfers, compressed. */
import { get } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Visitor } from '#tests/support/visitor.ts'

type Sent = { bytes: number; text: string }

function fetchCompressed(visitor: Visitor, path: string): Promise<Sent> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'accept-encoding': 'br, gzip' }
  return new Promise((resolve, reject) => {
    get(new URL(path, visitor.origin), { headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        const body = Buffer.concat(chunks)
        if (answer.statusCode !== 200) return reject(new Error(`${path}: ${answer.statusCode}`))
        resolve({ bytes: body.length, text: unpack(body, answer.headers['content-encoding']) })
      })
    }).on('error', reject)
  })
}

function unpack(body: Buffer, encoding: string | undefined): string {
  if (encoding === 'br') return brotliDecompressSync(body).toString('utf8')
  return (encoding === 'gzip' ? gunzipSync(body) : body).toString('utf8')
}

export type Weight = { page: number; styles: number; scripts: number; all: number }

/** The page itself, and all styles and scripts it names. */
export async function weigh(visitor: Visitor, path: string): Promise<Weight> {
  const page = await fetchCompressed(visitor, path)
  const parts = new Set(page.text.match(/\/assets\/[\w.-]+\.(?:css|js)/g))
  const weight = { page: page.bytes / 1000, styles: 0, scripts: 0 }
  for (const part of parts)
    weight[part.endsWith('.css') ? 'styles' : 'scripts'] +=
      (await fetchCompressed(visitor, part)).bytes / 1000
  return { ...weight, all: weight.page + weight.styles + weight.scripts }
}
