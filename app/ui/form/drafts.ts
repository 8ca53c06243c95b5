/** What is typed on a lift and not taken yet, kept by this browser: each person's own, and nobody else's. */

const ROOM = 'liftwell-draft:'

type Fields = Record<string, string[]>
/** By question; `seen` is the answer that it had while this was typed. */
export type Draft = Record<string, { seen: string; fields: Fields }>

const roomOf = (reader: number) => `${ROOM}${reader}:`
const keyOf = (reader: number, lift: number) => `${roomOf(reader)}${lift}`

export function readDraft(reader: number, lift: number): Draft {
  return orNothing(() => JSON.parse(localStorage.getItem(keyOf(reader, lift)) ?? '{}') as Draft) ?? {}
}

export function writeDraft(reader: number, lift: number, draft: Draft): void {
  const key = keyOf(reader, lift)
  orNothing(() =>
    Object.keys(draft).length > 0
      ? localStorage.setItem(key, JSON.stringify(draft))
      : localStorage.removeItem(key),
  )
}

/** Of everybody but the one who is here; of everybody when nobody is. */
export function forgetDrafts(reader?: number): void {
  orNothing(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(ROOM) && (reader === undefined || !key.startsWith(roomOf(reader))))
        localStorage.removeItem(key)
  })
}

/** A browser may keep nothing, or be full: what is typed is on the page all the same. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
