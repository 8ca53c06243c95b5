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

export const UNKNOWN_TYPE = 'Please choose an image, a video, a recording, a PDF, a text, a CSV or a ZIP file'

type Shown = { type: string; formats: string; why: string }
const SHOWN: Readonly<Record<string, Shown>> = {
  image: { type: 'image/', formats: 'PNG, JPEG, WebP or GIF', why: 'Please choose an image' },
  video: { type: 'video/', formats: 'MP4 or WebM', why: 'Please choose a video' },
  audio: { type: 'audio/', formats: 'MP3, M4A, OGG or WAV', why: 'Please choose a recording' },
  captions: { type: 'text/vtt', formats: '.vtt', why: 'Please choose captions: a WebVTT file' },
}

/** Why a part of a page cannot show a file of a type; any file can be one to take along. */
export function whyUnfit(part: string, content_type: string): string | null {
  const shown = SHOWN[part]
  return !shown || content_type.startsWith(shown.type) ? null : `${shown.why} (${shown.formats})`
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
