/** Which reports there are, and how their rates are written. */
export const ANALYTICS_TYPES = ['overview', 'by_user', 'by_lift'] as const

/** Nobody out of nobody is no rate. */
export const percent = ({ n, d }: { n: number; d: number }): string =>
  d === 0 ? '-' : `${Math.round((n / d) * 100)} %`
