import { z } from 'zod'

export const MAX_UPLOAD_BYTES = 25_000_000
/** The storage quota of one company. */
export const TENANT_QUOTA_BYTES = 2_000_000_000

export const UPLOAD_KINDS = ['image', 'media', 'file'] as const
export type UploadKind = (typeof UPLOAD_KINDS)[number]

/** The accepted types; images are converted to WebP, others stay as they are. */
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

/** Why a block of a page cannot show a file of this type; any file can be offered as a download. */
export function whyUnfit(part: string, content_type: string): string | null {
  const shown = SHOWN[part]
  return !shown || content_type.startsWith(shown.type) ? null : `${shown.why} (${shown.formats})`
}

export const Upload = z.object({
  id: z.uuid(),
  /** The path of the file, on the site and below the base path of the API. */
  src: z.string(),
  kind: z.enum(UPLOAD_KINDS),
  content_type: z.string(),
  file_name: z.string(),
  size: z.number().int(),
})
export type Upload = z.infer<typeof Upload>
