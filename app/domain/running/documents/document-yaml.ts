/** Parses the YAML of a section into its value, and a schema parser whose errors have the lines of the file. */
import { type Document, isAlias, isMap, isNode, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import type { Report, Section } from './document-sections.ts'
import { sayIssue, sayMissing, sayWrongKind } from './document-words.ts'
import { sayUnreadable } from './document-yaml-words.ts'

export type LineOf = (path: readonly PropertyKey[]) => number
export type YamlSection = {
  value: Record<string, unknown>
  lineOf: LineOf
  parse<Schema extends z.ZodType>(schema: Schema, given?: unknown): z.output<Schema> | null
}

export function readYaml(section: Section, report: Report): YamlSection | null {
  const deep = deeplyNested(section.body)
  if (deep !== null) {
    report(section.bodyLine + deep, 'There are too many brackets inside each other here.')
    return null
  }
  // The parser's own check of unique keys is quadratic; `namedTwice` is not.
  const yaml = parseDocument(section.body, { schema: 'core', prettyErrors: false, uniqueKeys: false })
  const lineAt = (offset: number) =>
    section.bodyLine + (section.body.slice(0, offset).match(/\n/g) ?? []).length
  const unreadable = sayUnreadable(yaml, section.body)
  for (const { offset, message } of unreadable) report(lineAt(offset), message)
  if (unreadable.length > 0) return null
  if (!isMap(yaml.contents)) {
    report(section.line, 'Please write settings below this line, one on each line, as "name: value".')
    return null
  }
  const alias = aliasIn(yaml)
  if (alias !== null) {
    report(
      lineAt(alias),
      'Anchors and aliases (words with & or * in front) are not used here. Please write the value out, or put it in quotes.',
    )
    return null
  }
  const value = yaml.toJS() as Record<string, unknown>
  const lineOf: LineOf = (path) => {
    const offset = offsetOf(yaml, path)
    return offset === null ? section.line : lineAt(offset)
  }
  return {
    value,
    lineOf,
    parse(schema, given = value) {
      const parsed = schema.safeParse(given, { error: sayIssue })
      if (parsed.success) return parsed.data
      for (const issue of parsed.error.issues) reportIssue(issue, given, section.name, lineOf, report)
      return null
    },
  }
}

const MAX_OPEN_BRACKETS = 2000

/** The line where so many brackets are open that parsing would take minutes. */
function deeplyNested(body: string): number | null {
  let open = 0
  let line = 0
  for (const sign of body) {
    if (sign === '\n') line += 1
    else if (sign === '[' || sign === '{') open += 1
    else if ((sign === ']' || sign === '}') && open > 0) open -= 1
    if (open > MAX_OPEN_BRACKETS) return line
  }
  return null
}

function aliasIn(yaml: Document): number | null {
  let found: number | null = null
  visit(yaml, (_, node) => {
    if (!isNode(node) || (!isAlias(node) && !('anchor' in node && node.anchor))) return
    found = node.range?.[0] ?? 0
    return visit.BREAK
  })
  return found
}

/** The offset of the value at a path, or of its nearest existing parent. */
function offsetOf(yaml: Document, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length > 0; length--) {
    const node = yaml.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return null
}

function reportIssue(
  issue: z.core.$ZodIssue,
  given: unknown,
  name: string,
  lineOf: LineOf,
  report: Report,
): void {
  if (issue.code === 'unrecognized_keys') {
    const [first = '', ...others] = issue.keys
    const more = others.length > 0 ? `, nor “${others.slice(0, 4).map(short).join('", "')}”` : ''
    report(lineOf([...issue.path, first]), `There is no setting “${short(first)}”${more} here.`)
    return
  }
  const value = valueAt(given, issue.path)
  const label = labelOf(issue.path) || name || 'journey'
  const isMissing = value === undefined || (value === null && issue.code === 'invalid_type')
  const said =
    issue.code === 'custom' || !isMissing ? (sayWrongKind(issue, value) ?? issue.message) : sayMissing(issue)
  report(lineOf(issue.path), `${label}: ${said}`)
}

const short = (name: string) => name.slice(0, 40)

const valueAt = (given: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<PropertyKey, unknown>)[key]
        : undefined,
    given,
  )

/** The name of the setting in the file, with its index in a list. */
function labelOf(path: readonly PropertyKey[]): string {
  const at = path.at(-1)
  const name = path.findLast((key) => typeof key === 'string') ?? ''
  return typeof at === 'number' ? `${String(name)}, entry ${at + 1}` : String(name)
}
