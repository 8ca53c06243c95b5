/** All secrets of the provider, derived from the one secret of the process. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

export type Secrets = {
  cookieKey: string
  /** The secret of our own client at a pool; the relying party derives the same one. */
  clientSecret(poolId: string, clientId: string): string
  /** A keyed hash under which a person or an address is counted without being stored. */
  pseudonym(text: string): string
  digest(text: string): Buffer
  seal(text: string): string
  unseal(sealed: string): string
}

const NONCE = 12
const TAG = 16

export function createSecrets(secret: string): Secrets {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))
  const sealing = derive('identity:seal')
  const naming = derive('identity:pseudonym')
  const coding = derive('identity:codes')

  return {
    cookieKey: derive('identity:cookies').toString('base64url'),
    clientSecret: (poolId, clientId) => derive(`client:${poolId}:${clientId}`).toString('base64url'),
    pseudonym: (text) => createHmac('sha256', naming).update(text).digest('base64url'),
    digest: (text) => createHmac('sha256', coding).update(text).digest(),
    seal(text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, NONCE))
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      return decipher.update(bytes.subarray(NONCE + TAG), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
