/** Refusals with Cognito's names and texts: callers branch on the name, people read the message. */
type Name =
  | 'CodeMismatchException'
  | 'EnableSoftwareTokenMFAException'
  | 'ExpiredCodeException'
  | 'InteractionExpiredException'
  | 'InvalidParameterException'
  | 'InvalidPasswordException'
  | 'LimitExceededException'
  | 'NotAuthorizedException'
  | 'UnsupportedUserStateException'
  | 'UserNotFoundException'
  | 'UserNotReadyException'
  | 'UsernameExistsException'

export class IdentityError extends Error {
  override readonly name: Name

  constructor(name: Name, message: string) {
    super(message)
    this.name = name
  }
}

/** The same error for a wrong password and for an unknown name. */
export const wrongPassword = () =>
  new IdentityError('NotAuthorizedException', 'Incorrect username or password.')
export const lockedOut = () => new IdentityError('NotAuthorizedException', 'Password attempts exceeded')
export const limitExceeded = () =>
  new IdentityError('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
export const isLimit = (error: unknown) =>
  error instanceof IdentityError && error.name === 'LimitExceededException'
/** Another code was requested within half a minute. */
export const sentAlready = () =>
  new IdentityError(
    'LimitExceededException',
    'The code was sent a moment ago. Please wait 30 seconds before you ask for another.',
  )
export const userNotFound = () => new IdentityError('UserNotFoundException', 'User does not exist.')
export const usernameExists = () => new IdentityError('UsernameExistsException', 'User already exists')
export const disabled = () => new IdentityError('NotAuthorizedException', 'User is disabled.')
export const invitationUsed = () =>
  new IdentityError(
    'NotAuthorizedException',
    'This link was used already, a newer invitation has replaced it, or a part of it is missing. If you have chosen a password, sign in with it; if not, choose “Forgot your password?” and we email you a new invitation.',
  )
export const invitationExpired = () =>
  new IdentityError(
    'NotAuthorizedException',
    'This invitation has expired. Choose “Forgot your password?” and we email you a new one.',
  )
export const sessionExpired = () =>
  new IdentityError('NotAuthorizedException', 'Invalid session for the user, session is expired.')
export const wrongCode = () =>
  new IdentityError('CodeMismatchException', 'Invalid verification code provided, please try again.')
export const wrongTextedCode = () =>
  new IdentityError('CodeMismatchException', 'Invalid code or auth state for the user.')
export const expiredCode = () =>
  new IdentityError('ExpiredCodeException', 'Invalid code provided, please request a code again.')
export const wrongToken = () => new IdentityError('CodeMismatchException', 'Invalid code received for user')
export const tokenMismatch = () => new IdentityError('EnableSoftwareTokenMFAException', 'Code mismatch')
/** For recovery, where a pool reveals unknown names. */
export const nobodyToRecover = () =>
  new IdentityError('UserNotFoundException', 'Username/client id combination not found.')
export const usedToken = () =>
  new IdentityError('ExpiredCodeException', 'Your software token has already been used once.')
export const invalid = (message: string) => new IdentityError('InvalidParameterException', message)
export const notReady = () => new IdentityError('UserNotReadyException', 'User is not ready yet.')
export const interactionExpired = () =>
  new IdentityError('InteractionExpiredException', 'Your sign-in expired, try again')
