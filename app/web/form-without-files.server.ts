/** Reads the text fields of a form from an unknown sender, and discards its files as they stream in. */
import { unstable_parseMultipartFormData as parseParts } from '@remix-run/node'
import { SMALL_BYTES } from './limits.server.ts'

const MAX_PARTS = 2000

/** Throws for forms that no page of ours sends, and for more text than an unknown sender may send. */
export async function readWithoutFiles(request: Request): Promise<FormData> {
  let bytes = 0
  let parts = 0
  return parseParts(request, async ({ filename, contentType, data }) => {
    parts += 1
    const kept: Uint8Array[] = []
    for await (const chunk of data) {
      if (filename !== undefined) continue
      bytes += chunk.length
      kept.push(chunk)
      if (bytes > SMALL_BYTES) break
    }
    if (bytes > SMALL_BYTES || parts > MAX_PARTS) throw new Error('This form has too many words.')
    return filename === undefined
      ? Buffer.concat(kept).toString()
      : new File([], filename, { type: contentType ?? '' })
  })
}
