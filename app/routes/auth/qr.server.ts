/** A QR code as the path of one SVG, drawn where no script is needed. */
import { encode } from 'uqr'

export type QrCode = { size: number; path: string }

export function drawQr(text: string): QrCode {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
