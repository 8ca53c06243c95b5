/** A user pool's refusals, as it names them: callers branch on the name, people read the message. */
export class CognitoRefusal extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

/** Too many calls came at once, and this one was not carried out. */
const THROTTLED = new Set([
  'TooManyRequestsException',
  'ThrottlingException',
  'Throttling',
  'RequestLimitExceeded',
])

type SdkError = Error & { $metadata?: { httpStatusCode?: number } }

/** `refused`: carried out, and answered no. `throttled`: not carried out. `unknown`: one or the other. */
export function kindOf(error: unknown): 'refused' | 'throttled' | 'unknown' {
  const { name, $metadata } = error as SdkError
  const status = $metadata?.httpStatusCode
  if (THROTTLED.has(name) || status === 429) return 'throttled'
  return status === undefined || status >= 500 ? 'unknown' : 'refused'
}

/** Errors in the pool's configuration, which only its administrator can correct. */
export function isMisconfigured({ name, message }: Error): boolean {
  if (name === 'ResourceNotFoundException' || name === 'UnrecognizedClientException') return true
  if (name === 'InvalidParameterException') return /not enabled for this client|auth flow/i.test(message)
  return name === 'NotAuthorizedException' && /secret.?hash/i.test(message)
}

export const expired = () =>
  new CognitoRefusal('NotAuthorizedException', 'Invalid session for the user, session is expired.')
