/**
 * The quantile of Student's t distribution by bisection; the distribution uses the incomplete beta function (Lentz).
 */

/** `probability`: at least 0.5; `df`: degrees of freedom. */
export function tQuantile(probability: number, df: number): number {
  let [low, high] = [0, 1]
  while (tDistribution(high, df) < probability) high *= 2
  for (let halved = 0; halved < 200 && high - low > 1e-15 * high; halved++) {
    const middle = (low + high) / 2
    if (tDistribution(middle, df) < probability) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** The cumulative distribution for `t` >= 0. */
export const tDistribution = (t: number, df: number): number =>
  t * t < df
    ? 0.5 + incompleteBeta((t * t) / (df + t * t), 0.5, df / 2) / 2
    : 1 - incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2

/** The regularised incomplete beta function. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a)
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x))
  return (front / a) * continuedFraction(x, a, b)
}

const TINY = 1e-300
const MAX_TERMS = 10_000

function continuedFraction(x: number, a: number, b: number): number {
  let c = 1
  let d = 1 / keepOff(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m < MAX_TERMS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / keepOff(1 + even * d)
    c = keepOff(1 + even / c)
    fraction *= c * d
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / keepOff(1 + odd * d)
    c = keepOff(1 + odd / c)
    fraction *= c * d
    if (Math.abs(c * d - 1) < 1e-16) break
  }
  return fraction
}

const keepOff = (value: number): number => (Math.abs(value) < TINY ? TINY : value)

/** Stirling's series, shifted to where it is exact to the last digit. */
function logGamma(x: number): number {
  let shift = 0
  let at = x
  while (at < 15) {
    shift += Math.log(at)
    at += 1
  }
  const inverse = 1 / (at * at)
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)))) / at
  return (at - 0.5) * Math.log(at) - at + Math.log(2 * Math.PI) / 2 + series - shift
}
