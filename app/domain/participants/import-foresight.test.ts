import { describe, expect, it } from 'vitest'
import { foresee } from './import-foresight.ts'

describe('What a row would do', () => {
  const lena = { role: 'learner', isGone: false, exclude_data: false, sponsor: 'Sam' }
  const nothing = { role: 'learner', sponsor: undefined, exclude_data: undefined }

  it('names each field that changes, from what to what', () => {
    expect(foresee({ ...nothing, sponsor: 'Ada', exclude_data: true }, [lena])).toEqual({
      outcome: 'changed',
      changes: [
        { field: 'sponsor', before: 'Sam', after: 'Ada' },
        { field: 'exclude_data', before: 'no', after: 'yes' },
      ],
    })
  })

  it('calls nothing changed what is so already', () => {
    for (const wanted of [nothing, { ...nothing, sponsor: 'Sam', exclude_data: false }])
      expect(foresee(wanted, [lena])).toEqual({ outcome: 'same', changes: [] })
  })

  it('tells a second role, a return and a first sponsor', () => {
    expect(foresee({ ...nothing, role: 'facilitator' }, [lena])).toEqual({
      outcome: 'added',
      changes: [{ field: 'role', before: 'learner', after: 'learner and facilitator' }],
    })
    expect(foresee(nothing, [{ ...lena, isGone: true }])).toEqual({ outcome: 'returns', changes: [] })
    expect(foresee({ ...nothing, sponsor: 'Sam' }, []).changes).toEqual([
      { field: 'sponsor', before: 'nobody', after: 'Sam' },
    ])
  })
})
