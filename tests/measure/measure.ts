/** `npm run measure`: sizes of the code as docs/measure.md, beside the limits that are held. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Measured, measureFile } from './source.ts'

const LONGEST_FUNCTION = 60
const LONGEST_FILE = 200
const FILES_PER_FOLDER = 30
const LISTED = 15
const INTENTS_OF_A_PAGE = 2

const files = globSync('{app,tests}/**/*.{ts,tsx}').sort().map(measureFile)
const room = ({ path }: Measured) => path.split('/').slice(0, 2).join('/')
const isTest = ({ path }: Measured) => path.startsWith('tests/') || /\.test\.tsx?$/.test(path)
/** Written by `npm run db:types`. */
const isGenerated = ({ path }: Measured) => path === 'app/db/schema.ts'

const product = files.filter((file) => !isTest(file) && !isGenerated(file))
const tests = files.filter(isTest)

const at = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0
const sum = (values: number[]): number => values.reduce((one, other) => one + other, 0)
const table = (head: string[], rows: (string | number)[][]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function sizes(name: string, group: Measured[]): (string | number)[] {
  const lines = group.map((file) => file.lines)
  const share = (100 * sum(group.map((file) => file.comments))) / sum(lines)
  return [
    name,
    group.length,
    sum(lines),
    at(lines, 0.5),
    at(lines, 0.9),
    Math.max(...lines),
    `${share.toFixed(1)}%`,
  ]
}

const groups = Object.entries(Object.groupBy(product, room)).filter(([name]) => !/\.tsx?$/.test(name))
const perFolder = Object.entries(Object.groupBy(product, ({ path }) => dirname(path)))
  .map(([folder, inside]) => [folder, inside?.length ?? 0] as [string, number])
  .sort((one, other) => other[1] - one[1])
const functions = product.flatMap((file) => file.functions).sort((one, other) => other.lines - one.lines)
const tooLong = functions.filter((one) => one.lines > LONGEST_FUNCTION)

/** What one action of a page can be asked to do, where that is more than it should be. */
const manyIntents = globSync('app/routes/**/*.{ts,tsx}')
  .sort()
  .flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return [...text.matchAll(/(?:requireIntent|intentOf)\([^,]+, (?:\[([^\]]*)\]|([A-Z_]+))/g)].map(
      ([, listed, named]) => {
        const names = listed ?? new RegExp(`const ${named} = \\[([^\\]]*)\\]`).exec(text)?.[1] ?? ''
        return { path, intents: names.split(',').flatMap((name) => name.trim().replaceAll("'", '') || []) }
      },
    )
  })
  .filter(({ intents }) => intents.length > INTENTS_OF_A_PAGE)

const page = `# Sizes

Written by \`npm run measure\`. Held: no folder above ${FILES_PER_FOLDER} files, no function above ${LONGEST_FUNCTION} lines, no file above
${LONGEST_FILE}, a median file of 50 to 60 lines, few comments ([why, and why app is no smaller](decisions/66-sizes.md)). Rings of
folders are refused by \`npm run check\`.

${table(
  ['Room', 'Files', 'Lines', 'Median', '90%', 'Longest', 'Comments'],
  [
    sizes('**app**', product),
    ...groups.map(([name, group]) => sizes(name, group ?? [])),
    sizes('**tests**', tests),
  ],
)}

## Folders

${perFolder.filter(([, count]) => count > FILES_PER_FOLDER).length} folders hold more than ${FILES_PER_FOLDER} files.

${table(['Folder', 'Files'], perFolder.slice(0, LISTED))}

## Functions

${functions.length} functions, median ${at(
  functions.map((one) => one.lines),
  0.5,
)} lines; ${tooLong.length} are longer than ${LONGEST_FUNCTION}.

${table(
  ['Function', 'Where', 'Lines'],
  functions.slice(0, LISTED).map((one) => [one.name, `${one.path}:${one.line}`, one.lines]),
)}

## Intents

A page is to do at most ${INTENTS_OF_A_PAGE} things; ${manyIntents.length} do more.

${table(
  ['Action', 'Intents'],
  manyIntents.map(({ path, intents }) => [path, intents.join(', ')]),
)}
`
writeFileSync('docs/measure.md', page)
process.stdout.write(page)
