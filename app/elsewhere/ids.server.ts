/** Another server's ids are numbers or text. Ours are one word each, from which the original id can be restored. */

/** `bigint`: a number too long for a JavaScript number. */
export type Id = string | number | bigint

const NUMBER = /^-?\d+$/
const PLAIN = /^[\w-][\w.-]*$/

/** The id in our URLs and forms: `7` was a number, `~7` the text "7", `~~…` a text that is no word. */
export function idIn(id: Id): string {
  if (typeof id !== 'string') return String(id)
  if (NUMBER.test(id)) return `~${id}`
  return PLAIN.test(id) ? id : `~~${Buffer.from(id).toString('base64url')}`
}

export function idOut(id: Id): Id {
  if (typeof id !== 'string') return id
  if (id.startsWith('~~')) return Buffer.from(id.slice(2), 'base64url').toString()
  if (id.startsWith('~')) return id.slice(1)
  if (!NUMBER.test(id)) return id
  return Number.isSafeInteger(Number(id)) ? Number(id) : BigInt(id)
}
