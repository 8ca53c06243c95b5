/** The largest answer accepted: a list of ten thousand tenants is smaller. */
const MAX_MB = 8

/** Throws for a longer answer, because parsing it would block all other requests. */
export async function readText(answer: Response): Promise<string> {
  const decoder = new TextDecoder()
  let read = 0
  let text = ''
  const pieces = answer.body as AsyncIterable<Uint8Array> | null
  for await (const piece of pieces ?? []) {
    read += piece.length
    if (read > MAX_MB * 1_000_000) throw new Error(`it sent more than ${MAX_MB} MB`)
    text += decoder.decode(piece, { stream: true })
  }
  return text + decoder.decode()
}
