/**
 * `npm run api:diff -- before.json`: what has changed for callers since that API document, one line each; `npm run
 * api:diff -- --write before.json` stores today's. Fails when there is a difference.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createApi } from '#app/api/app.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'string' } },
})

/** Every leaf by its path. Lists of plain values are compared as sets. */
function leaves(value: Json, path = ''): [path: string, value: string][] {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return [[path, JSON.stringify([...value].sort())]]
  if (Array.isArray(value)) return value.flatMap((one, at) => leaves(one, `${path} ${nameOf(one) ?? at}`))
  if (value === null || typeof value !== 'object') return [[path, JSON.stringify(value)]]
  const entries = Object.entries(value)
  return entries.length === 0
    ? [[path, '{}']]
    : entries.flatMap(([name, one]) => leaves(one, `${path} ${name}`))
}

/** A parameter is identified by its name, whatever its position. */
const nameOf = (value: Json): string | undefined =>
  value && typeof value === 'object' && 'in' in value && 'name' in value ? String(value.name) : undefined

function differences(before: Json, after: Json): string[] {
  const [was, is] = [new Map(leaves(before)), new Map(leaves(after))]
  const names = [...new Set([...was.keys(), ...is.keys()])].sort()
  return names
    .filter((name) => was.get(name) !== is.get(name))
    .map((name) => `${name.trim()}: ${was.get(name) ?? '(nothing)'} -> ${is.get(name) ?? '(nothing)'}`)
}

const USAGE = 'Usage: npm run api:diff -- <before.json>, or npm run api:diff -- --write <before.json>'

const response = await createApi({ database: () => ({}) as Database }).request('/api/v1/openapi.json')
const document = (await response.json()) as Json
if (values.write) {
  writeFileSync(values.write, JSON.stringify(document, null, 1))
} else {
  const [file] = positionals
  if (!file) {
    console.error(USAGE)
    process.exit(2)
  }
  const found = differences(JSON.parse(readFileSync(file, 'utf8')) as Json, document)
  console.log(found.length === 0 ? 'No difference.' : found.join('\n'))
  process.exitCode = found.length === 0 ? 0 : 1
}
