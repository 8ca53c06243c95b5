/** The YAML of a section: its value, and a parser that reports with the lines of the file. */
import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml'
import type { z } from 'zod'
import type { Report, Section } from './document-sections.ts'

export type YamlSection = {
  value: Record<string, unknown>
  parse<Schema extends z.ZodType>(schema: Schema, given?: unknown): z.output<Schema> | null
}

export function readYaml(section: Section, report: Report): YamlSection | null {
  const counter = new LineCounter()
  const yaml = parseDocument(section.body, { lineCounter: counter, schema: 'core', prettyErrors: false })
  const lineAt = (offset: number) => section.bodyLine + Math.max(0, counter.linePos(offset).line - 1)
  for (const error of yaml.errors) report(lineAt(error.pos[0]), `This cannot be read: ${error.message}`)
  if (yaml.errors.length > 0) return null
  if (!isMap(yaml.contents)) {
    report(section.line, 'Here stand settings, one on each line, as "name: value".')
    return null
  }
  const value = toValue(yaml)
  if (!value) {
    report(section.line, 'Anchors and aliases are not used here; please write it out.')
    return null
  }
  const lineOf = (path: readonly PropertyKey[]) => {
    const offset = offsetOf(yaml, path)
    return offset === null ? section.line : lineAt(offset)
  }
  return {
    value,
    parse(schema, given = value) {
      const parsed = schema.safeParse(given)
      if (parsed.success) return parsed.data
      for (const issue of parsed.error.issues) reportIssue(issue, section.name, lineOf, report)
      return null
    },
  }
}

function toValue(yaml: Document): Record<string, unknown> | null {
  try {
    return yaml.toJS({ maxAliasCount: 0 }) as Record<string, unknown>
  } catch {
    return null
  }
}

/** Where the thing at a path begins; where its nearest neighbour above does, when it is missing. */
function offsetOf(yaml: Document, path: readonly PropertyKey[]): number | null {
  for (let length = path.length; length > 0; length--) {
    const node = yaml.getIn(path.slice(0, length), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return null
}

function reportIssue(
  issue: z.core.$ZodIssue,
  name: string,
  lineOf: (path: readonly PropertyKey[]) => number,
  report: Report,
): void {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys : []
  for (const key of unknown) report(lineOf([...issue.path, key]), `There is no setting "${key}" here.`)
  if (unknown.length === 0)
    report(lineOf(issue.path), `${issue.path.join('.') || name || 'journey'}: ${issue.message}`)
}
