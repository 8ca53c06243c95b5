/** Our statistics, compared with published values. */
import { describe, expect, it } from 'vitest'
import { CERTIFIED } from '#tests/support/nist.ts'
import { medianOf, type Observed, survival } from './kaplan-meier.ts'
import { deviationOf, meanOf, pairedDifference } from './paired.ts'
import { tQuantile } from './student-t.ts'

const near = (value: number | null | undefined, wanted: number) => {
  expect(Math.abs((value ?? Number.NaN) - wanted) / Math.max(1, Math.abs(wanted))).toBeLessThan(1e-9)
}

describe('Means and deviations', () => {
  it.each(CERTIFIED)(
    'match the values that NIST certifies for $name',
    ({ name, values, mean, deviation }) => {
      near(meanOf(values), mean)
      // The numbers of NumAcc4 themselves, as floating-point numbers, are off by more than 1e-9.
      const off = Math.abs(deviationOf(values) - deviation) / deviation
      expect(off).toBeLessThan(name === 'NumAcc4' ? 1e-7 : 1e-9)
    },
  )
})

describe('The quantile of Student’s t', () => {
  it('matches its closed form for 1, 2 and 4 degrees of freedom', () => {
    for (const p of [0.6, 0.9, 0.975, 0.995]) {
      near(tQuantile(p, 1), Math.tan(Math.PI * (p - 0.5)))
      const alpha = 4 * p * (1 - p)
      near(tQuantile(p, 2), (2 * (p - 0.5)) / Math.sqrt(alpha / 2))
      const q = Math.cos(Math.acos(Math.sqrt(alpha)) / 3) / Math.sqrt(alpha)
      near(tQuantile(p, 4), 2 * Math.sqrt(q - 1))
    }
  })

  it('matches qt(0.975, df) of R', () => {
    near(tQuantile(0.975, 5), 2.57058183563631)
    near(tQuantile(0.975, 9), 2.2621571627982)
    near(tQuantile(0.975, 10), 2.22813885198627)
    near(tQuantile(0.975, 30), 2.04227245630124)
    near(tQuantile(0.975, 100), 1.98397151852355)
  })
})

describe('The difference of pairs', () => {
  it('matches t.test(extra ~ group, paired = TRUE) of R’s data set "sleep"', () => {
    const before = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2]
    const after = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    const found = pairedDifference(before.map((value, nth) => ({ before: value, after: after[nth] ?? 0 })))
    expect(found?.n).toBe(10)
    near(found?.before, 0.75)
    near(found?.after, 2.33)
    near(found?.difference, 1.58)
    // R prints its interval with seven places, and t = 4.0621 with nine degrees of freedom.
    expect(found?.low?.toFixed(7)).toBe('0.7001142')
    expect(found?.high?.toFixed(7)).toBe('2.4598858')
    expect(((found?.d_z ?? 0) * Math.sqrt(10)).toFixed(4)).toBe('4.0621')
    near(found?.d_z, 1.58 / Math.sqrt(13.616 / 9))
  })

  it('matches the example of d_z in Lakens (2013), Frontiers in Psychology 4:863', () => {
    const before = [9, 6, 7, 8, 7, 9, 8, 8, 8, 7]
    const after = [9, 7, 8, 9, 8, 9, 9, 10, 9, 9]
    const found = pairedDifference(before.map((value, nth) => ({ before: value, after: after[nth] ?? 0 })))
    near(found?.before, 7.7)
    near(found?.after, 8.7)
    near(found?.d_z, 1.5)
    expect([found?.low?.toFixed(2), found?.high?.toFixed(2)]).toEqual(['0.52', '1.48'])
  })

  it('has no interval or effect size if the pairs do not allow one', () => {
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

  it('matches survfit(Surv(time, status) ~ x) of the data set "aml" in R’s package survival', () => {
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

  it('matches the remissions of Freireich et al. (1963), Blood 21:699, as tabulated by Cox and Oakes', () => {
    const treated = survival(
      observed('6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+'.split(' ')),
    )
    const shares = [
      ...[
        [6, 21, 6 / 7],
        [7, 17, 96 / 119],
        [10, 15, 64 / 85],
        [13, 12, 176 / 255],
        [16, 11, 32 / 51],
        [22, 7, 64 / 119],
        [23, 6, 160 / 357],
      ],
    ] as const
    expect(treated.map(({ time, at_risk }) => [time, at_risk])).toEqual(
      shares.map(([time, at_risk]) => [time, at_risk]),
    )
    for (const [nth, [, , share]] of shares.entries()) near(treated[nth]?.left, share)
    expect(treated.map(({ left }) => left.toFixed(4))).toEqual([
      ...['0.8571', '0.8067', '0.7529', '0.6902', '0.6275', '0.5378', '0.4482'],
    ])
    expect(medianOf(treated)).toBe(23)
    const placebo = '1 1 2 2 3 4 4 5 5 8 8 8 8 11 11 12 12 15 17 22 23'.split(' ')
    expect(medianOf(survival(observed(placebo)))).toBe(8)
  })

  it('has no median while more than half are silent', () => {
    expect(medianOf(survival(observed(['1', '2', '3+', '3+', '3+'])))).toBeNull()
    expect(medianOf(survival([]))).toBeNull()
  })
})
