/** The destination of a code, masked so that its owner still recognises it. */

/** `t**t@example.com` */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const name = [...email.slice(0, at)]
  const shown = name.length < 3 ? `${name[0] ?? ''}*` : `${name[0]}**${name.at(-1)}`
  return `${shown}${email.slice(at)}`
}

/** `********1111` */
export const maskPhone = (number: string): string => `********${number.slice(-4)}`
