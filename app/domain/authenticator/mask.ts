/** Where a code went, as much of it as its owner needs to recognise. */

/** `t**t@example.com` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = [...email.slice(0, at)]
  const shown = name.length < 3 ? `${name[0] ?? ''}*` : `${name[0]}**${name.at(-1)}`
  return `${shown}${email.slice(at)}`
}

/** `********1111` */
export const maskPhone = (number: string): string => `********${number.slice(-4)}`
