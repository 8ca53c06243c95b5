/** A logo as people send it: any raster image, which is re-encoded for storage. */
import { z } from 'zod'
import { line } from '#app/domain/text/text.ts'

export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export const MAX_LOGO_BYTES = 2 * 1024 * 1024
export const LOGO_TOO_LARGE = 'The image is larger than 2 MB'
export const LOGO_HELP = 'PNG, JPEG, WebP or GIF, up to 2 MB'

/** The image in base64, with or without the prefix of a data URL. */
export const LogoInput = z
  .strictObject({
    base64: z.string().min(1, 'Choose an image'),
    file_name: line(255).default('logo'),
    file_type: z.string().trim().toLowerCase().max(100),
  })
  .refine((logo) => logo.base64.length <= Math.ceil((MAX_LOGO_BYTES * 4) / 3) + 1000, LOGO_TOO_LARGE)
export type LogoInput = z.infer<typeof LogoInput>

export const LogoPath = z.string().nullable()

/** The file of a form. Only its size and name are checked here; the server checks its content. */
export const LogoFile = z
  .instanceof(File, { error: 'Choose an image' })
  .refine((file) => file.size <= MAX_LOGO_BYTES, LOGO_TOO_LARGE)
  .refine((file) => LOGO_TYPES.some((type) => type === file.type), `Please choose an image: ${LOGO_HELP}`)
