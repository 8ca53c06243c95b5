/** The server build, which stays in the memory of the process. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const SERVER = join(import.meta.dirname, '../../../build/server')
const sources = globSync('**/*.js', { cwd: SERVER }).map((name) => readFileSync(join(SERVER, name), 'utf8'))

describe('The build of the server', () => {
  it('has only Latin-1 characters, for which V8 keeps one byte each', () => {
    expect(sources.join('').length).toBeGreaterThan(1_000_000)
    expect(sources.flatMap((source) => source.match(/.{0,40}[^\0-\xff].{0,40}/g) ?? [])).toEqual([])
  })

  it('does not load all of radix-ui', () => {
    expect(sources.filter((source) => source.includes('from "radix-ui"'))).toEqual([])
  })
})
