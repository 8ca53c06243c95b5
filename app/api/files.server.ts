/** The bytes of logos and other files, whole or in part, and what authors upload. */
import { createRoute, z } from '@hono/zod-openapi'
import { getFile, type Range } from '#app/domain/files/files.server.ts'
import { Upload } from '#app/domain/files/upload.ts'
import { uploadFile } from '#app/domain/files/uploads.server.ts'
import { fileStore } from '#app/integrations/files.server.ts'
import { answer, refusals } from './answers.server.ts'
import { createRouter, Unreadable } from './env.server.ts'

const tags = ['Files']

const show = createRoute({
  method: 'get',
  path: '/{tenantId}/{fileId}',
  tags,
  summary: 'A file, as logo fields and blocks name it; with a Range header, a part of it',
  request: { params: z.object({ tenantId: z.uuid(), fileId: z.uuid() }) },
  responses: { 200: { description: 'The bytes' }, 206: { description: 'Some of the bytes' }, ...refusals },
})

const upload = createRoute({
  method: 'post',
  path: '/',
  tags,
  summary: 'Upload a file as form data, in the field `file`',
  request: {
    body: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: z.object({ file: z.any().openapi({ type: 'string', format: 'binary' }) }),
        },
      },
    },
  },
  responses: { 201: answer(Upload, 'Uploaded'), ...refusals },
})

/** Players ask for one part after the other; several parts at once are answered with the whole. */
function readRange(header: string | undefined): Range | undefined {
  const [, start = '', end = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (start === '' && end === '') return undefined
  if (start === '') return { start: -Number(end) }
  return { start: Number(start), ...(end === '' ? {} : { end: Number(end) }) }
}

export const filesApi = createRouter()
  .openapi(show, async (c) => {
    const { tenantId, fileId } = c.req.valid('param')
    const range = readRange(c.req.header('range'))
    const file = await getFile(c.var.scope, tenantId, fileId, range, fileStore())
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
        // A file never changes: a new one has a new address.
        'cache-control': 'private, max-age=86400, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
      },
    })
  })
  .openapi(upload, async (c) => {
    const { file } = c.req.valid('form')
    if (!(file instanceof File)) throw new Unreadable(422, { file: ['Please choose a file'] })
    const bytes = Buffer.from(await file.arrayBuffer())
    return c.json(
      await uploadFile(c.var.scope, { bytes, type: file.type, name: file.name }, fileStore()),
      201,
    )
  })
