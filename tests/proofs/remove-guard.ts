/** Runs before a test file: removes one guard, and records which guards the tests reach. */
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
