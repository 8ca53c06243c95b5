/** The bytes of logos and other files. */
import { createRoute, z } from '@hono/zod-openapi'
import { getFile } from '#app/domain/files/files.server.ts'
import { refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const show = createRoute({
  method: 'get',
  path: '/{tenantId}/{fileId}',
  tags: ['Files'],
  summary: 'A file, as logo fields name it',
  request: { params: z.object({ tenantId: z.uuid(), fileId: z.uuid() }) },
  responses: { 200: { description: 'The bytes' }, ...refusals },
})

export const filesApi = createRouter().openapi(show, async (c) => {
  const { tenantId, fileId } = c.req.valid('param')
  const file = await getFile(c.var.scope, tenantId, fileId)
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      'content-type': file.content_type,
      'content-length': String(file.bytes.length),
      'content-disposition': `inline; filename*=UTF-8''${encodeURIComponent(file.file_name)}`,
      // A file never changes: a new logo has a new address.
      'cache-control': 'private, max-age=86400, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
})
