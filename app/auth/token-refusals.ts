/** Explains to the administrator of the provider why a token was refused. Quotes only plain claims of it. */
import { decodeProtectedHeader, errors } from 'jose'

type Expected = { issuer: string; audience?: string }

export function whyRefused(error: Error, token: string, expected: Expected): string {
  if (error instanceof errors.JWTExpired)
    return `The token expired ${ago(error.payload.exp)}. Is one of the two clocks wrong?`
  if (error instanceof errors.JWTClaimValidationFailed) return whyClaim(error, expected)
  if (error instanceof errors.JOSEAlgNotAllowed)
    return `The token is signed with ${quoted(algorithmOf(token))}; only RS256 and ES256 are taken.`
  if (error instanceof errors.JWSSignatureVerificationFailed)
    return 'The signature is not made with the provider’s key.'
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'The token is signed with a key that is not among the provider’s keys.'
  return `The token cannot be read: ${error.message}`
}

function whyClaim(error: errors.JWTClaimValidationFailed, { issuer, audience }: Expected): string {
  const { claim, payload, reason } = error
  if (reason === 'missing') return `The token has no ${quoted(claim)}.`
  if (claim === 'aud') return `The token is for ${quoted(payload.aud)}, not for our ${quoted(audience)}.`
  if (claim === 'iss') return `The token’s issuer is ${quoted(payload.iss)}, not ${quoted(issuer)}.`
  if (claim === 'nbf') return 'The token is not valid yet. Is one of the two clocks wrong?'
  return `The ${quoted(claim)} of the token is wrong.`
}

const LONGEST = 100

/** Quotes a foreign value so that it cannot be read as part of the sentence. */
export function quoted(value: unknown): string {
  const text = [value ?? 'nothing']
    .flat()
    .map(String)
    .join(', ')
    .replace(/[\p{C}\u201C\u201D]/gu, ' ')
  return `“${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}”`
}

function ago(seconds: number | undefined): string {
  if (seconds === undefined) return 'already'
  const passed = Math.round(Date.now() / 1000 - seconds)
  return passed < 120 ? `${passed} seconds ago` : `${Math.round(passed / 60)} minutes ago`
}

function algorithmOf(token: string): unknown {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    return undefined
  }
}
