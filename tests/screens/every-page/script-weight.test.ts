/** The scripts that a browser loads before a page reacts. A list has no form to validate, so it loads no schemas. */
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

type Part = { module: string; imports?: string[] }
type Manifest = { entry: Part; routes: Record<string, Part & { parentId?: string }> }

const CLIENT = join(import.meta.dirname, '../../../build/client')
const [file = ''] = globSync('assets/manifest-*.js', { cwd: CLIENT })
const [, json = ''] = readFileSync(join(CLIENT, file), 'utf8').match(/^[^=]+=(.*);\s*$/s) ?? []
const { entry, routes } = JSON.parse(json) as Manifest

function scriptsOf(route: string): string[] {
  const scripts = new Set([`/${file}`, entry.module, ...(entry.imports ?? [])])
  for (let part = routes[route]; part; part = routes[part.parentId ?? ''])
    for (const script of [part.module, ...(part.imports ?? [])]) scripts.add(script)
  return [...scripts].filter((name) => name.endsWith('.js'))
}

/** Compressed, if the build has compressed it. */
function kilobytes(script: string): number {
  const file = join(CLIENT, script)
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size / 1000
}

describe('The scripts of a page', () => {
  it.each([
    'routes/audit/list',
    'routes/dashboard/todo',
    'routes/journeys/manage/list',
    'routes/journeys/people/list',
    'routes/messages/unconfirmed',
    'routes/notifications/list',
    'routes/sponsors/list',
    'routes/subtenants/list',
    'routes/tenants/list',
    'routes/users/list',
  ])('of %s are at most 100 kB to download', (route) => {
    const weight = scriptsOf(route).reduce((sum, script) => sum + kilobytes(script), 0)
    expect(weight).toBeGreaterThan(70)
    expect(weight).toBeLessThanOrEqual(100)
  })
})
