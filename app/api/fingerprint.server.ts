/** A body as text, to recognize its repeats by. Plain JSON would leave out the bytes of a file. */
import { createHash } from 'node:crypto'

export async function textOf(body: unknown): Promise<string> {
  const fields = Object.entries(body ?? {}).map(async ([name, value]) => [
    name,
    value instanceof File ? [value.name, await digestOf(value)] : value,
  ])
  return JSON.stringify(await Promise.all(fields))
}

const digestOf = async (file: File) =>
  createHash('sha256')
    .update(Buffer.from(await file.arrayBuffer()))
    .digest('base64url')
