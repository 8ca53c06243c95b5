/** Values that the browser keeps for us but cannot read: sealed (JWE), and split where one cookie is too short. */
import { CompactEncrypt, compactDecrypt } from 'jose'
import type { z } from 'zod'
import { clearCookie, readCookie, writeCookie } from '../cookies.server.ts'
import { keyFor } from '../seal.server.ts'

const ALGORITHMS = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] }
/** Browsers limit a cookie to 4,096 bytes of name, value and attributes. */
const PIECE = 3700
/** All headers of a request together may have 16 kB. */
export const MAX_PIECES = 3

/** Opens only for the same purpose, so that one cookie cannot pass for another. */
export async function sealValue(value: unknown, purpose: string): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value))
  return new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyFor(`cookie:${purpose}`))
}

/** Null when the value was changed or cut, was sealed under another secret, or does not fit the schema. */
export async function openValue<Schema extends z.ZodType>(
  sealed: string,
  purpose: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  try {
    const { plaintext } = await compactDecrypt(sealed, keyFor(`cookie:${purpose}`), ALGORITHMS)
    return schema.safeParse(JSON.parse(new TextDecoder().decode(plaintext))).data ?? null
  } catch {
    return null
  }
}

const nameOf = (name: string, piece: number) => (piece === 0 ? name : `${name}.${piece}`)

/** Null when the value needs too many pieces. */
export function writePieces(name: string, sealed: string, maxAge: number | undefined): string[] | null {
  const pieces = sealed.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? []
  if (pieces.length > MAX_PIECES) return null
  return Array.from({ length: MAX_PIECES }, (_, piece) => {
    const part = pieces[piece]
    if (part === undefined) return clearCookie(nameOf(name, piece))
    return writeCookie(nameOf(name, piece), piece === 0 ? `${pieces.length}.${part}` : part, { maxAge })
  })
}

/** Null when there is none, or a piece is missing. */
export function readPieces(request: Request, name: string): string | null {
  const [, count, head] = /^([1-9])\.(.+)$/.exec(readCookie(request, name) ?? '') ?? []
  if (!count || !head || Number(count) > MAX_PIECES) return null
  const rest = Array.from({ length: Number(count) - 1 }, (_, at) => readCookie(request, nameOf(name, at + 1)))
  return rest.includes(null) ? null : [head, ...rest].join('')
}

export const clearPieces = (name: string): string[] =>
  Array.from({ length: MAX_PIECES }, (_, piece) => clearCookie(nameOf(name, piece)))
