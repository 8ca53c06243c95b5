/** How long something takes, when of some it is only known that it has not happened yet. */

/** `time` until it happened, or until which it had not. */
export type Observed = { readonly time: number; readonly happened: number; readonly silent: number }
export type Step = { time: number; at_risk: number; happened: number; left: number }

/** The share for whom it has not happened, after each time at which it did. Who falls silent then was still at risk. */
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

/** The first time by which it had happened for half of them; null while it has not. */
export const medianOf = (steps: readonly Step[]): number | null =>
  steps.find(({ left }) => left <= 0.5 + 1e-12)?.time ?? null
