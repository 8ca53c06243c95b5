import fc from 'fast-check'
import { expect, it } from 'vitest'
import { idIn, idOut } from './ids.server.ts'

it('gives every id back as it was, number or text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.maxSafeInteger(), fc.integer().map(String)), (id) => {
      expect(idOut(idIn(id))).toBe(Object.is(id, -0) ? 0 : id)
    }),
  )
  expect([idIn(7), idIn('7'), idIn('acme'), idIn('~x')]).toEqual(['7', '~7', 'acme', '~~fng'])
})
