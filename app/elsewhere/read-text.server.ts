/** As much as a server may answer: a list of ten thousand tenants has less. */
const MAX_MB = 8

/** Throws where it is more, which would hold everybody else up to read. */
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
