/** Drafts of answers that are not saved yet, in this browser's storage: separate for each person. */

const ROOM = 'liftwell-draft:'

type Fields = Record<string, string[]>
/** By question; `seen` identifies the answer that the question had while this was typed. */
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

/** Deletes the drafts of everybody except the present reader; of everybody if there is none. */
export function forgetDrafts(reader?: number): void {
  orNothing(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(ROOM) && (reader === undefined || !key.startsWith(roomOf(reader))))
        localStorage.removeItem(key)
  })
}

/** Storage may be disabled or full: the input is still on the page. */
function orNothing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
