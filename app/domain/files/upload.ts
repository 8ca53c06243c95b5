/** What authors may upload for the pages of their lifts. */
import { z } from 'zod'

export const MAX_UPLOAD_BYTES = 25_000_000
/** What the files of one company may take together. */
export const TENANT_QUOTA_BYTES = 2_000_000_000

export const UPLOAD_KINDS = ['image', 'media', 'file'] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

/** The types that are taken; images become WebP, the others stay as they are. */
export const TAKEN_TYPES: Readonly<Record<UploadKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  media: ['video/mp4', 'video/webm', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav'],
  file: ['application/pdf', 'text/plain', 'text/csv', 'text/vtt', 'application/zip'],
}

export const Upload = z.object({
  id: z.uuid(),
  /** Where it is found: on the site, and below the base path of the API. */
  src: z.string(),
  kind: z.enum(UPLOAD_KINDS),
  content_type: z.string(),
  file_name: z.string(),
  size: z.number().int(),
})
export type Upload = z.infer<typeof Upload>
