/** Beside the provider's own words, which pass through as they are: what they mean, and what to do now. */

const SENTENCES: Record<string, string> = {
  'Attempt limit exceeded, please try after some time.':
    'There were too many tries. Wait some minutes, then try again: nothing is lost.',
  'Password attempts exceeded':
    'There were too many wrong passwords for this account. Wait a while, or choose a new one with “Forgot your password?”.',
  'Temporary password has expired and must be reset by an administrator.':
    'You can also choose “Forgot your password?”: a new invitation is emailed to you at once.',
  'Your software token has already been used once.':
    'Each code of your app is good once. Wait until it shows the next one.',
  'Invalid code received for user':
    'Enter the code that your app shows now. If it is refused again, look whether the clock of your phone is right.',
  'Code mismatch':
    'Enter the code that your app shows now. If it is refused again, look whether the clock of your phone is right.',
  'Invalid session for the user, session is expired.':
    'It took too long, or it was finished elsewhere. Go back to sign in and begin again.',
  'Invalid code provided, please request a code again.':
    'The code is too old, or was used already. Ask for another with “Resend Code”.',
  'SignUp is not permitted for this user pool':
    'Accounts for this address are made by an administrator: ask yours for an invitation.',
  'User is disabled.': 'Ask an administrator of your company to let you in again.',
  'User does not exist.': 'No account has this address. Please look whether it is spelt right.',
  'Username/client id combination not found.':
    'No account has this address. Please look whether it is spelt right.',
}

export const inPlainWords = (message: string): string | null => SENTENCES[message] ?? null
