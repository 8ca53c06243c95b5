import { describe, expect, it } from 'vitest'
import { foresee } from './import-foresight.ts'

describe('The preview of an imported row', () => {
  const lena = { role: 'learner', isGone: false, exclude_data: false, sponsor: 'Sam' }
  const nothing = { role: 'learner', sponsor: undefined, exclude_data: undefined }

  it('names each field that changes, with its old and new value', () => {
    expect(foresee({ ...nothing, sponsor: 'Ada', exclude_data: true }, [lena])).toEqual({
      outcome: 'changed',
      changes: [
        { field: 'sponsor', before: 'Sam', after: 'Ada' },
        { field: 'exclude_data', before: 'no', after: 'yes' },
      ],
    })
  })

  it('reports no change if everything is already so', () => {
    for (const wanted of [nothing, { ...nothing, sponsor: 'Sam', exclude_data: false }])
      expect(foresee(wanted, [lena])).toEqual({ outcome: 'same', changes: [] })
  })

  it('reports a second role, a return and a first sponsor', () => {
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
