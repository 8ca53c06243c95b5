/** The claims that each scope releases. */
export const CLAIMS = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['given_name', 'family_name', 'name'],
} as const

export const SCOPES = Object.keys(CLAIMS).join(' ')
