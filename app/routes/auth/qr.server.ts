/** A QR code as a single SVG path, rendered without scripts. */
import { encode } from 'uqr'

export type QrCode = { size: number; path: string }

export function drawQr(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
