import * as calls from '#app/api/contract/files.ts'
import { serve } from '#app/api/serve.server.ts'
import { invalid } from '#app/domain/errors.ts'
import { getFile, type Range } from '#app/domain/files/files.server.ts'
import { uploadFile } from '#app/domain/files/uploads.server.ts'
import { fileStore } from '#app/integrations/stores/files.server.ts'

/** Media players request one range at a time; a request for several ranges gets the whole file. */
function readRange(header: string | undefined): Range | undefined {
  const [, start = '', end = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (start === '' && end === '') return undefined
  if (start === '') return { start: -Number(end) }
  return { start: Number(start), ...(end === '' ? {} : { end: Number(end) }) }
}

export const files = serve(calls, {
  getFile: async ({ scope, ids, range: asked }) => {
    const range = readRange(asked)
    const file = await getFile(scope, ids.tenantId, ids.fileId, range, fileStore())
    const isShown = /^(image|video|audio)\//.test(file.content_type)
    const last = file.start + file.bytes.length - 1
    return new Response(new Uint8Array(file.bytes), {
      status: range ? 206 : 200,
      headers: {
        'content-type': file.content_type,
        'content-length': String(file.bytes.length),
        'accept-ranges': 'bytes',
        ...(range && { 'content-range': `bytes ${file.start}-${last}/${file.size}` }),
        'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.file_name)}`,
        'cache-control': 'private, max-age=86400, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      },
    })
  },
  uploadFile: async ({ scope, body }) => {
    const { file } = body
    if (!(file instanceof File)) throw invalid({ file: ['Please choose a file'] })
    const bytes = Buffer.from(await file.arrayBuffer())
    return uploadFile(scope, { bytes, type: file.type, name: file.name }, fileStore())
  },
})
