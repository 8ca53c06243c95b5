/** Options of every cookie the provider sets. Browsers treat `http://localhost` as secure. */
export const COOKIE = {
  signed: true,
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  overwrite: true,
} as const

/** Visible to the screens below `/login`, whichever pool they serve. */
export const INTERACTION_COOKIE = '__Host-idp-interaction'
