export const ANALYTICS_TYPES = ['overview', 'by_user', 'by_lift'] as const

/** Nobody out of nobody is no rate; what is not all is never "100%", and what is not nothing never "0%". */
export function percent({ n, d }: { n: number; d: number }): string {
  if (d === 0) return '-'
  const rounded = Math.round((n / d) * 100)
  if (rounded === 100 && n < d) return '>99%'
  if (rounded === 0 && n > 0) return '<1%'
  return `${rounded}%`
}
