/** The links, files, commands and sentences that the documents name exist. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const git = (...given: string[]) =>
  execFileSync('git', given, { encoding: 'utf8' }).split('\n').filter(Boolean)
const DOCUMENTS = git('ls-files', '*.md')
const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const read = (file: string) => readFileSync(file, 'utf8')
const FILES = git('ls-files').map((file) => `/${file}`)
const SOURCES = FILES.filter((file) => /\.([cm]?[jt]sx?|sql|sh|example)$/.test(file))
const WORDS = new Set(SOURCES.flatMap((file) => read(`.${file}`).match(/\w+/g) ?? []))
/** The code spans of a text. */
const marked = (text: string, pattern: RegExp) =>
  [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => pattern.exec(code)?.[1] ?? [])

describe.each(DOCUMENTS)('%s', (file) => {
  const text = read(file)

  it('has no broken links to files', () => {
    const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, to]) => (to ? [to] : []))
    const local = links.filter((to) => !/^(https?|mailto):/.test(to))
    expect(local.filter((to) => !existsSync(join(dirname(file), to)))).toEqual([])
  })

  it('names files that exist', () => {
    const named = [...text.matchAll(/`((?:app|tests|docs|public)\/[\w./-]*[\w/])`/g)].flatMap(
      ([, path]) => path ?? [],
    )
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  it('names sources, functions and constants that exist', () => {
    const sources = marked(
      text,
      /^(?:\.{1,2}\/)*((?:[\w.-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|sql|[cm]js|css))$/,
    )
    expect(sources.filter((path) => !FILES.some((file) => file.endsWith(`/${path}`)))).toEqual([])
    const names = marked(text, /^([a-z]+[A-Z]\w*|[A-Z]+(?:_[A-Z]+)+)(?:\(.*\))?$/)
    expect(names.filter((name) => !WORDS.has(name))).toEqual([])
  })

  it('names commands that exist', () => {
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].flatMap(([, name]) => name ?? [])
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

it('the troubleshooting page quotes texts that the product prints', () => {
  const source = git('ls-files', 'app/*.ts', 'app/*.tsx', 'server.ts')
    .map(read)
    .join('\n')
    .replaceAll("\\'", "'")
  const quotes = [
    ...read('docs/troubleshooting.md').matchAll(/^\| ((?:"(?:\\"|[^"])+"(?:, )?)+) \|/gm),
  ].flatMap(([, cell = '']) =>
    [...cell.matchAll(/"((?:\\"|[^"])+)"/g)].map(([, words = '']) => words.replaceAll('\\"', '"')),
  )
  const parts = quotes
    .flatMap((words) => words.split('…').map((part) => part.trim()))
    .filter((part) => part !== '')
  expect(parts.length).toBeGreaterThan(12)
  expect(parts.filter((part) => !source.includes(part))).toEqual([])
})
