import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idIn, idOut } from './ids.server.ts'
import { readJson, writeJson } from './json.server.ts'

/** Too long for a JavaScript number. */
const LONG = fc.bigInt({ min: 2n ** 53n, max: 2n ** 80n })

it('Every id, number or text, is returned as it was received', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.maxSafeInteger(), fc.integer().map(String), LONG), (id) => {
      expect(idOut(idIn(id))).toBe(Object.is(id, -0) ? 0 : id)
    }),
  )
  expect([idIn(7), idIn('7'), idIn('acme'), idIn('~x')]).toEqual(['7', '~7', 'acme', '~~fng'])
})

it('Whole numbers of any length are read from JSON and written to it exactly', () => {
  const sent = '{"id":9007199254740993,"ids":[-18014398509481985,7,1.5,1e21],"text":"9007199254740993"}'
  const { id, ids, text } = readJson(sent) as { id: unknown; ids: unknown[]; text: unknown }
  expect([id, ...ids, text]).toEqual([
    9007199254740993n,
    -18014398509481985n,
    7,
    1.5,
    1e21,
    '9007199254740993',
  ])
  expect(writeJson({ user_ids: [idOut(idIn(9007199254740993n)), 7] })).toBe(
    '{"user_ids":[9007199254740993,7]}',
  )
})
