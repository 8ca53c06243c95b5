/** Of every cookie the provider sets. Browsers take `http://localhost` for a secure place. */
export const COOKIE = {
  signed: true,
  httpOnly: true,
  secure: true,
  sameSite: 'lax',
  overwrite: true,
} as const

/** The screens below `/login` must see it, whichever pool they serve. */
export const INTERACTION_COOKIE = '__Host-idp-interaction'
