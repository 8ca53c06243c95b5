/** The bytes of logos and other files, whole or in part, and what authors upload. */
import { z } from 'zod'
import { Upload } from '#app/domain/files/upload.ts'
import { callsAbout } from './call.ts'
import { UPLOAD_BYTES } from './limits.ts'
import { ABOUT_ONESELF } from './parts.ts'

const { get, post } = callsAbout('Files')

export const getFile = get('/files/{tenantId}/{fileId}', {
  does: 'A file, as logo fields and blocks name it; with a Range header, a part of it',
  may: 'signed in',
  keys: true,
  ids: z.object({ tenantId: z.uuid(), fileId: z.uuid() }),
  answers: { files: { 200: { description: 'The bytes' }, 206: { description: 'Some of the bytes' } } },
  early: ABOUT_ONESELF,
})

export const uploadFile = post('/files', {
  does: 'Upload a file as form data, in the field `file`',
  may: 'view journeys',
  form: z.object({ file: z.any().meta({ type: 'string', format: 'binary' }) }),
  answers: Upload,
  described: 'Uploaded',
  status: 201,
  bytes: UPLOAD_BYTES,
  audited: true,
})
