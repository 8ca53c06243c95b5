/** Secrets derived from the product's one secret: for sealing stored values, and for values that both sides can derive. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

let secret: string | undefined
let sealingKey: Buffer | undefined

export function setSecret(value: string): void {
  secret = value
  sealingKey = derive(value, 'seal')
}

/** `context` is authenticated too: a value opens only under the same one, so that no row can pass for another. */
export function seal(text: string, context = ''): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', requireKey(), iv).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`
}

/** Throws when the text was changed, has another context, or was sealed under another secret. */
export function unseal(sealed: string, context = ''): string {
  const [version, body] = sealed.split('.')
  const bytes = Buffer.from(body ?? '', 'base64url')
  if (version !== VERSION || bytes.length < IV_BYTES + TAG_BYTES)
    throw new Error('This is not a sealed text.')

  const iv = bytes.subarray(0, IV_BYTES)
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', requireKey(), iv, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString(
    'utf8',
  )
}

/** The OAuth secret of our own client at an embedded pool; the provider derives the same value. */
export function deriveClientSecret(pool_id: string, client_id: string): string {
  if (secret === undefined) throw new Error('No secret has been set.')
  return derive(secret, `client:${pool_id}:${client_id}`).toString('base64url')
}

export function keyFor(purpose: string): Buffer {
  if (secret === undefined) throw new Error('No secret has been set.')
  return derive(secret, purpose)
}

function derive(from: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', from, '', purpose, 32))
}

function requireKey(): Buffer {
  if (!sealingKey) throw new Error('No secret has been set.')
  return sealingKey
}
