export const ANALYTICS_TYPES = ['overview', 'by_user', 'by_lift'] as const

/** 0 of 0 is shown as "-"; only a complete rate is "100%", and only an empty one "0%". */
export function percent({ n, d }: { n: number; d: number }): string {
  if (d === 0) return '-'
  const rounded = Math.round((n / d) * 100)
  if (rounded === 100 && n < d) return '>99%'
  if (rounded === 0 && n > 0) return '<1%'
  return `${rounded}%`
}
