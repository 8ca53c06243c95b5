/** Bytes that a player accepts as a recording. */
export const CLIP = Buffer.concat([
  Buffer.from('ID3'),
  Buffer.from(Array.from({ length: 997 }, (_, n) => n % 256)),
])
