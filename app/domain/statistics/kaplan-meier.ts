/** Survival analysis (Kaplan–Meier): how long something takes, if for some it has not happened yet. */

/** `time` is when it happened, or how long it was observed without happening. */
export type Observed = { readonly time: number; readonly happened: number; readonly silent: number }
export type Step = { time: number; at_risk: number; happened: number; left: number }

/**
 * The share for whom it has not happened, after each time at which it did. Observations censored at that time were
 * still at risk.
 */
export function survival(observed: readonly Observed[]): Step[] {
  const inOrder = [...observed].sort((one, other) => one.time - other.time)
  let at_risk = inOrder.reduce((sum, { happened, silent }) => sum + happened + silent, 0)
  let left = 1
  const steps: Step[] = []
  for (const [time, at] of Map.groupBy(inOrder, (one) => one.time)) {
    const happened = at.reduce((sum, one) => sum + one.happened, 0)
    if (happened > 0) {
      left *= 1 - happened / at_risk
      steps.push({ time, at_risk, happened, left })
    }
    at_risk -= at.reduce((sum, one) => sum + one.happened + one.silent, 0)
  }
  return steps
}

/** The median: the first time by which it had happened for half of them; null if never. */
export const medianOf = (steps: readonly Step[]): number | null =>
  steps.find(({ left }) => left <= 0.5 + 1e-12)?.time ?? null
