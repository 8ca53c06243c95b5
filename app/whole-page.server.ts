import { Writable } from 'node:stream'

/**
 * What React writes, as one piece: no part of a page comes later than another, and compressing and sending
 * React's pieces of two kilobytes one by one costs more than drawing them.
 */
export function wholePage(whole: (html: Uint8Array<ArrayBuffer>) => void): Writable {
  const pieces: Uint8Array[] = []
  return new Writable({
    write(piece: Uint8Array, _encoding, done) {
      pieces.push(withoutGap(piece))
      done()
    },
    final(done) {
      whole(Buffer.concat(pieces))
      done()
    },
  })
}

/** React 18 leaves NULs at the end of a piece in which the next letter, of two to four bytes, had no room (its issue 24985). */
function withoutGap(piece: Uint8Array): Uint8Array {
  let end = piece.length
  while (end > 0 && piece[end - 1] === 0) end--
  return piece.subarray(0, end)
}
