/** Detects the type of a file from its first bytes: the name and type that a browser sends are only a claim. */
import { TAKEN_TYPES, type UploadKind } from './upload.ts'

const starts =
  (hex: string, at = 0) =>
  (bytes: Buffer) =>
    bytes.subarray(at, at + hex.length / 2).toString('hex') === hex
const says = (word: string, at: number) => starts(Buffer.from(word, 'latin1').toString('hex'), at)
const isText = (bytes: Buffer) => !bytes.includes(0) && !bytes.toString('utf8').includes('\uFFFD')

const SIGNATURES: Readonly<Record<string, (bytes: Buffer) => boolean>> = {
  'image/png': starts('89504e470d0a1a0a'),
  'image/jpeg': starts('ffd8ff'),
  'image/gif': says('GIF8', 0),
  'image/webp': (bytes) => says('RIFF', 0)(bytes) && says('WEBP', 8)(bytes),
  'video/mp4': says('ftyp', 4),
  'audio/mp4': says('ftyp', 4),
  'video/webm': starts('1a45dfa3'),
  'audio/mpeg': (bytes) => says('ID3', 0)(bytes) || (bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0),
  'audio/ogg': says('OggS', 0),
  'audio/wav': (bytes) => says('RIFF', 0)(bytes) && says('WAVE', 8)(bytes),
  'application/pdf': says('%PDF-', 0),
  'application/zip': starts('504b0304'),
  'text/vtt': (bytes) => /^\uFEFF?WEBVTT/.test(bytes.toString('utf8', 0, 12)) && isText(bytes),
  'text/csv': isText,
  'text/plain': isText,
}

/** The first matching type among those allowed, the claimed one tried first; null for anything else. */
export function recognize(bytes: Buffer, claimed: string): { kind: UploadKind; content_type: string } | null {
  const plain = claimed.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const content_type = SIGNATURES[plain]?.(bytes) ? plain : null
  if (!content_type) return null
  const kind = (Object.keys(TAKEN_TYPES) as UploadKind[]).find((one) =>
    TAKEN_TYPES[one].includes(content_type),
  )
  return kind ? { kind, content_type } : null
}
