/** Held against published values. */
import { describe, expect, it } from 'vitest'
import { medianOf, type Observed, survival } from './kaplan-meier.ts'
import { deviationOf, meanOf, pairedDifference } from './paired.ts'
import { tQuantile } from './student-t.ts'

const near = (value: number | null | undefined, wanted: number) => {
  expect(Math.abs((value ?? Number.NaN) - wanted) / Math.max(1, Math.abs(wanted))).toBeLessThan(1e-9)
}
/** The first, and then the other two by turns, as NIST makes its data sets NumAcc2 to NumAcc4. */
const byTurns = (first: number, low: number, high: number): number[] => [
  first,
  ...Array.from({ length: 1000 }, (_, nth) => (nth % 2 === 0 ? low : high)),
]

describe('Means and deviations', () => {
  it('are those NIST certifies for NumAcc1 to NumAcc4 (Statistical Reference Datasets, univariate)', () => {
    const certified = [
      [[10_000_001, 10_000_003, 10_000_002], 10_000_002, 1],
      [byTurns(1.2, 1.1, 1.3), 1.2, 0.1],
      [byTurns(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1],
    ] as const
    for (const [values, mean, deviation] of certified) {
      near(meanOf(values), mean)
      near(deviationOf(values), deviation)
    }
    // Of NumAcc4 the data themselves, as numbers of a computer, are off by more than 1e-9.
    const last = byTurns(10_000_000.2, 10_000_000.1, 10_000_000.3)
    near(meanOf(last), 10_000_000.2)
    expect(Math.abs(deviationOf(last) - 0.1)).toBeLessThan(1e-8)
  })
})

describe('The quantile of Student’s t', () => {
  it('is what it is in closed form for 1, 2 and 4 degrees of freedom', () => {
    for (const p of [0.6, 0.9, 0.975, 0.995]) {
      near(tQuantile(p, 1), Math.tan(Math.PI * (p - 0.5)))
      const alpha = 4 * p * (1 - p)
      near(tQuantile(p, 2), (2 * (p - 0.5)) / Math.sqrt(alpha / 2))
      const q = Math.cos(Math.acos(Math.sqrt(alpha)) / 3) / Math.sqrt(alpha)
      near(tQuantile(p, 4), 2 * Math.sqrt(q - 1))
    }
  })

  it('is what R answers: qt(0.975, df)', () => {
    near(tQuantile(0.975, 5), 2.57058183563631)
    near(tQuantile(0.975, 9), 2.2621571627982)
    near(tQuantile(0.975, 10), 2.22813885198627)
    near(tQuantile(0.975, 30), 2.04227245630124)
    near(tQuantile(0.975, 100), 1.98397151852355)
  })
})

describe('The difference of pairs', () => {
  it('is that of R’s data set "sleep": t.test(extra ~ group, paired = TRUE)', () => {
    const before = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
    const after = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    const found = pairedDifference(before.map((value, nth) => ({ before: value, after: after[nth] ?? 0 })))
    expect(found?.n).toBe(10)
    near(found?.before, 0.75)
    near(found?.after, 2.33)
    near(found?.difference, 1.58)
    // R prints seven places of its interval, and t = 4.0621 with nine degrees of freedom.
    expect(found?.low?.toFixed(7)).toBe('0.7001142')
    expect(found?.high?.toFixed(7)).toBe('2.4598858')
    expect(((found?.d_z ?? 0) * Math.sqrt(10)).toFixed(4)).toBe('4.0621')
    near(found?.d_z, 1.58 / Math.sqrt(13.616 / 9))
  })

  it('says nothing beyond what it knows', () => {
    expect(pairedDifference([])).toBeNull()
    expect(pairedDifference([{ before: 0.2, after: 0.4 }])).toMatchObject({
      n: 1,
      low: null,
      high: null,
      d_z: null,
    })
    const same = pairedDifference([1, 2, 3].map((nth) => ({ before: nth / 10, after: nth / 10 + 0.1 })))
    expect(same?.d_z).toBeNull()
    near(same?.low, 0.1)
  })
})

describe('The Kaplan–Meier estimate', () => {
  const observed = (times: readonly string[]): Observed[] =>
    times.map((time) => ({
      time: Number.parseInt(time, 10),
      happened: time.endsWith('+') ? 0 : 1,
      silent: time.endsWith('+') ? 1 : 0,
    }))

  it('is that of the data set "aml" of R’s package survival: survfit(Surv(time, status) ~ x)', () => {
    const kept = survival(observed(['9', '13', '13+', '18', '23', '28+', '31', '34', '45+', '48', '161+']))
    expect(kept.map((step) => [step.time, step.at_risk])).toEqual([
      ...[
        [9, 11],
        [13, 10],
        [18, 8],
        [23, 7],
        [31, 5],
        [34, 4],
        [48, 2],
      ],
    ])
    const shares = [10 / 11, 9 / 11, 63 / 88, 27 / 44, 27 / 55, 81 / 220, 81 / 440]
    for (const [nth, share] of shares.entries()) near(kept[nth]?.left, share)
    expect(kept.map((step) => Number(step.left.toFixed(3)))).toEqual([
      0.909, 0.818, 0.716, 0.614, 0.491, 0.368, 0.184,
    ])
    expect(medianOf(kept)).toBe(31)
    const others = survival(observed(['5', '5', '8', '8', '12', '16+', '23', '27', '30', '33', '43', '45']))
    expect(medianOf(others)).toBe(23)
  })

  it('has no median while more than half are silent', () => {
    expect(medianOf(survival(observed(['1', '2', '3+', '3+', '3+'])))).toBeNull()
    expect(medianOf(survival([]))).toBeNull()
  })
})
