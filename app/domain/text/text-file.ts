/** Decodes an uploaded text file by detecting its encoding. */

/** UTF-8 and UTF-16 are recognized; anything else is read as Windows-1252, which includes Latin-1. */
export function readTextFile(bytes: Uint8Array): { text: string } | { problem: string } {
  if (bytes.length === 0) return { problem: 'The file is empty.' }
  const encoding = encodingOf(bytes)
  if (encoding.startsWith('utf-16') && bytes.length % 2 === 1)
    return { problem: 'The file is incomplete: it ends in the middle of a character.' }
  const text = new TextDecoder(encoding).decode(bytes)
  return text.includes('\0') ? { problem: 'This is not a text file.' } : { text }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, 1000)
  const zeros = (odd: number) => start.filter((byte, at) => byte === 0 && at % 2 === odd).length
  if (zeros(1) > start.length / 4) return 'utf-16le'
  if (zeros(0) > start.length / 4) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return 'utf-8'
  } catch {
    return 'windows-1252'
  }
}
