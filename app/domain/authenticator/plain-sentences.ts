/** Shown beside the provider's own messages, which stay as they are: what they mean, and what to do now. */

const SENTENCES: Record<string, string> = {
  'Attempt limit exceeded, please try after some time.':
    'There were too many tries. Wait a few minutes, then try again: nothing is lost.',
  'Password attempts exceeded':
    'There were too many wrong passwords for this account. Wait a while, or choose a new one with “Forgot your password?”.',
  'Temporary password has expired and must be reset by an administrator.':
    'Try “Forgot your password?”, or ask an administrator of your company for a new invitation.',
  'User password cannot be reset in the current state.':
    'You have not chosen a password yet: sign in with the one from your invitation, or ask for a new invitation.',
  'Your software token has already been used once.':
    'Each code of your app works once. Wait until it shows the next one.',
  'Invalid code received for user':
    'Enter the code that your app shows now. If it is refused again, check the clock of your phone.',
  'Code mismatch':
    'Enter the code that your app shows now. If it is refused again, check the clock of your phone.',
  'Invalid code or auth state for the user.':
    'Enter the code of the latest text. If it is refused again, go back to sign in for a new one.',
  'Invalid session for the user, session is expired.':
    'It took too long, or it was finished elsewhere. Go back to sign in and start again.',
  'Invalid code provided, please request a code again.':
    'The code is too old, or was already used. Ask for another with “Resend Code”.',
  'SignUp is not permitted for this user pool':
    'Administrators create accounts for this address: ask yours for an invitation.',
  'User is disabled.': 'Ask an administrator of your company to activate your account.',
  'User does not exist.': 'No account has this address. Please check the spelling.',
  'Username/client id combination not found.': 'No account has this address. Please check the spelling.',
}

export const inPlainWords = (message: string): string | null => SENTENCES[message] ?? null
