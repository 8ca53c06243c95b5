/** Before the tests of a file: every guard holds but one, and those that were met are written down. */
import { writeFileSync } from 'node:fs'
import { afterAll } from 'vitest'

const { REMOVED_GUARD: removed, REACHED_GUARDS: file } = process.env
const reached = new Set<string>()

Object.assign(globalThis, {
  isOnGuard(id: string) {
    reached.add(id)
    return id !== removed
  },
})
afterAll(() => {
  if (file) writeFileSync(file, [...reached].join('\n'))
})
