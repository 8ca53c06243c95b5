/** Turns an uploaded logo into a safe image: validated, then re-encoded. */
import { invalid } from '#app/domain/errors.ts'
import { deleteFile, digestOf, storeFile } from '#app/domain/files/files.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import { LOGO_HELP, LOGO_TOO_LARGE, type LogoInput, MAX_LOGO_BYTES } from './logo.ts'

const MAX_SIDE = 512
/** 6000 x 4000: more than any logo needs, small enough to re-encode quickly. */
const MAX_PIXELS = 24_000_000
const DATA_URL = /^data:[\w.+/-]+;base64,/

/** The first bytes of each accepted image type. */
const SIGNATURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': (bytes) => bytes.subarray(0, 8).toString('hex') === '89504e470d0a1a0a',
  'image/jpeg': (bytes) => bytes.subarray(0, 3).toString('hex') === 'ffd8ff',
  'image/gif': (bytes) => /^GIF8[79]a/.test(bytes.subarray(0, 6).toString('latin1')),
  'image/webp': (bytes) => /^RIFF.{4}WEBP/s.test(bytes.subarray(0, 12).toString('latin1')),
}

const refused = (why: string) => invalid({ logo: [why] })

type Picture = { bytes: Buffer; content_type: string; file_name: string }

export async function drawLogo(input: LogoInput): Promise<Picture> {
  const bytes = decode(input.base64)
  const fits = SIGNATURES[input.file_type === 'image/jpg' ? 'image/jpeg' : input.file_type]
  if (!fits) throw refused(`Please choose an image: ${LOGO_HELP}`)
  if (!fits(bytes))
    throw refused(
      Object.values(SIGNATURES).some((looks) => looks(bytes))
        ? 'This image is of another type than its name says. Please save it again as PNG or JPEG'
        : `This file is not an image. Please choose one: ${LOGO_HELP}`,
    )

  const { default: sharp } = await import('sharp')
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error', pages: 1 })
  const { width, height } = await image.metadata().catch(unreadable)
  if (width * height > MAX_PIXELS) throw refused('The image has too many pixels')

  // Metadata (EXIF with places and names) is dropped; the EXIF orientation is applied.
  const drawn = image
    .autoOrient()
    .resize(MAX_SIDE, MAX_SIDE, { fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: 5 })
  const lossy = input.file_type === 'image/jpeg' || input.file_type === 'image/jpg'
  const result = await (lossy ? drawn.webp({ quality: 85 }) : drawn.png({ compressionLevel: 9 }))
    .toBuffer()
    .catch(unreadable)
  const name = input.file_name.replace(/\.[^.]*$/, '').replace(/[^\p{L}\p{N} _-]/gu, '_') || 'logo'
  return lossy
    ? { bytes: result, content_type: 'image/webp', file_name: `${name}.webp` }
    : { bytes: result, content_type: 'image/png', file_name: `${name}.png` }
}

/** PNG, as mail programs do not show WebP; at twice the displayed size, for high-resolution screens. */
export async function drawForMail(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(bytes).resize(320, 80, { fit: 'inside', withoutEnlargement: true }).png().toBuffer()
}

/** `before` and `after`: the audit log's entry for the replaced logo. */
type Replaced = { logo_file_id: string | null; before: object; after: object }

/** Sets a new logo, removes it, or keeps the present one. */
export async function replaceLogo(
  scope: Scope,
  current: string | null,
  input: LogoInput | null | undefined,
  sub_tenant_id: string | null = null,
): Promise<Replaced> {
  if (input === undefined) return { logo_file_id: current, before: {}, after: {} }
  const before = { logo: await nameOf(scope, current) }
  const picture = input === null ? null : await drawLogo(input)
  if (current && picture && (await isSame(scope, current, picture)))
    return { logo_file_id: current, before: {}, after: {} }
  if (current) await deleteFile(scope, current)
  const logo_file_id = picture && (await storeFile(scope, { kind: 'logo', ...picture }, sub_tenant_id))
  return { logo_file_id, before, after: { logo: await nameOf(scope, logo_file_id) } }
}

async function isSame({ db }: Scope, id: string, { bytes }: Picture): Promise<boolean> {
  const file = await db.selectFrom('files').select('sha256').where('id', '=', id).executeTakeFirst()
  return file?.sha256.equals(digestOf(bytes)) ?? false
}

async function nameOf({ db }: Scope, id: string | null): Promise<string | null> {
  if (id === null) return null
  const file = await db.selectFrom('files').select('file_name').where('id', '=', id).executeTakeFirst()
  return `${file?.file_name ?? 'logo'} (${id.slice(0, 8)})`
}

function decode(base64: string): Buffer {
  const text = base64.replace(DATA_URL, '').replace(/\s/g, '')
  if (text.length > Math.ceil(MAX_LOGO_BYTES / 3) * 4) throw refused(LOGO_TOO_LARGE)
  if (text.length % 4 === 1 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) {
    throw refused('The image did not arrive completely. Please try again')
  }
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > MAX_LOGO_BYTES) throw refused(LOGO_TOO_LARGE)
  return bytes
}

function unreadable(error: unknown): never {
  const tooMany = error instanceof Error && /pixel limit/i.test(error.message)
  throw refused(tooMany ? 'The image has too many pixels' : 'The image cannot be read')
}
