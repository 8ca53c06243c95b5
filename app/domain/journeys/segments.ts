/** How many SMS segments a text takes: 160/153 septets in GSM-7, 70/67 code units in UCS-2. */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** These take two septets: an escape and their own. */
const EXTENDED = '^{}\\[~]|€\f'

const septets = new Map([
  ...[...BASIC].map((sign): [string, number] => [sign, 1]),
  ...[...EXTENDED].map((sign): [string, number] => [sign, 2]),
])

export const MAX_SEGMENTS = 3

export type SegmentCount = {
  encoding: 'GSM-7' | 'UCS-2'
  length: number
  segments: number
  remaining: number
}

export function countSegments(text: string): SegmentCount {
  const isGsm = [...text].every((sign) => septets.has(sign))
  return isGsm ? count('GSM-7', gsmSizes(text), 160, 153) : count('UCS-2', ucsSizes(text), 70, 67)
}

const gsmSizes = (text: string) => [...text].map((sign) => septets.get(sign) ?? 1)
/** A surrogate pair is never cut in two. */
const ucsSizes = (text: string) => [...text].map((sign) => sign.length)

function count(
  encoding: SegmentCount['encoding'],
  sizes: number[],
  single: number,
  part: number,
): SegmentCount {
  const length = sizes.reduce((sum, size) => sum + size, 0)
  if (length <= single)
    return { encoding, length, segments: length === 0 ? 0 : 1, remaining: single - length }

  let segments = 1
  let used = 0
  for (const size of sizes) {
    if (used + size > part) {
      segments += 1
      used = 0
    }
    used += size
  }
  return { encoding, length, segments, remaining: part - used }
}
