/** Refusals with Cognito's names and texts: callers branch on the name, people read the message. */
type Name =
  | 'InvalidPasswordException'
  | 'LimitExceededException'
  | 'NotAuthorizedException'
  | 'PasswordResetRequiredException'
  | 'UnsupportedUserStateException'
  | 'UserNotConfirmedException'
  | 'UserNotFoundException'

export class IdentityError extends Error {
  override readonly name: Name

  constructor(name: Name, message: string) {
    super(message)
    this.name = name
  }
}

/** The same for a wrong password and for a name that nobody has. */
export const wrongPassword = () =>
  new IdentityError('NotAuthorizedException', 'Incorrect username or password.')
export const lockedOut = () => new IdentityError('NotAuthorizedException', 'Password attempts exceeded')
export const limitExceeded = () =>
  new IdentityError('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
export const userNotFound = () => new IdentityError('UserNotFoundException', 'User does not exist.')
