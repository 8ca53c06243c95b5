/** Error messages for invalid YAML: one sentence for each of the parser's codes, and what to do. */
import { type Document, type ErrorCode, isCollection, isNode, isScalar, visit, type YAMLError } from 'yaml'

const MARKS = 'A value that begins with & or * or ! must be in quotes: "...".'
const COLUMNS =
  'This line begins too far left or right. Lines that belong together begin in the same column, below each other.'
const NAMED = 'This line needs a name, a colon and a space: "name: value".'
const QUOTES = 'This value cannot be read. Please put all of it in quotes: "...".'

const WORDS: Readonly<Record<ErrorCode, string>> = {
  ALIAS_PROPS: MARKS,
  BAD_ALIAS: MARKS,
  BAD_COLLECTION_TYPE: MARKS,
  BAD_DIRECTIVE: 'A line cannot begin with %. Please put this in quotes: "...".',
  BAD_DQ_ESCAPE: 'In double quotes a backslash is written twice: \\\\. Or use single quotes.',
  BAD_INDENT: COLUMNS,
  BAD_PROP_ORDER: MARKS,
  BAD_SCALAR_START: 'A value cannot begin with this sign. Please put all of it in quotes: "...".',
  BLOCK_AS_IMPLICIT_KEY: COLUMNS,
  BLOCK_IN_FLOW: COLUMNS,
  DUPLICATE_KEY: 'This setting is here twice. Please remove one of them.',
  IMPOSSIBLE: QUOTES,
  KEY_OVER_1024_CHARS: NAMED,
  MISSING_CHAR: NAMED,
  MULTILINE_IMPLICIT_KEY: NAMED,
  MULTIPLE_ANCHORS: MARKS,
  MULTIPLE_DOCS: 'A line with --- or ... is not allowed between settings. Please remove it.',
  MULTIPLE_TAGS: MARKS,
  NON_STRING_KEY: NAMED,
  RESOURCE_EXHAUSTION: 'There are too many brackets inside each other here.',
  TAB_AS_INDENT: 'This line begins with a tab. Please begin it with spaces.',
  TAG_RESOLVE_FAILED: MARKS,
  UNEXPECTED_TOKEN: QUOTES,
}

type Unreadable = { offset: number; message: string }

/** Only the first error, as the others mostly follow from it; duplicate settings are each reported. */
export function sayUnreadable(yaml: Document, source: string): Unreadable[] {
  const [first] = yaml.errors
  return first ? [sayFirst(first, yaml, source)] : namedTwice(yaml)
}

const MAX_TWICE = 10

function namedTwice(yaml: Document): Unreadable[] {
  const found: Unreadable[] = []
  visit(yaml, {
    Map(_, map) {
      const names = new Set<unknown>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const name = String(key.value)
        if (names.has(name))
          found.push({
            offset: key.range?.[0] ?? 0,
            message: `“${name.slice(0, 40)}” is here a second time. Please remove one of the two.`,
          })
        if (found.length === MAX_TWICE) return visit.BREAK
        names.add(name)
      }
    },
  })
  return found
}

function sayFirst(error: YAMLError, yaml: Document, source: string): Unreadable {
  const offset = error.pos[0]
  const { code } = error
  if (code === 'MULTIPLE_DOCS')
    return { offset: Math.max(0, source.search(/^(---|\.\.\.)/m)), message: WORDS[code] }
  if (code === 'RESOURCE_EXHAUSTION' || code === 'TAB_AS_INDENT' || code === 'BAD_DQ_ESCAPE')
    return { offset, message: WORDS[code] }
  const opened = openedBefore(yaml, offset)
  if (opened !== null) return { offset: opened, message: sayOpened(source[opened] ?? '') }
  if (code === 'BLOCK_AS_IMPLICIT_KEY') return sayNested(offset, source)
  const line = lineAround(source, offset)
  if (/^ *\t/.test(line)) return { offset, message: WORDS.TAB_AS_INDENT }
  if (WORDS[code] === NAMED && /^[\s-]*[\w-]+:(\s|$)/.test(line)) return { offset, message: COLUMNS }
  if (line.trimStart().startsWith('%')) return { offset, message: WORDS.BAD_DIRECTIVE }
  if (code === 'UNEXPECTED_TOKEN' && !/[:-](\s|$)/.test(line)) return { offset, message: NAMED }
  return { offset, message: WORDS[code] }
}

const sayOpened = (sign: string): string =>
  sign === '"' || sign === "'"
    ? `The text that begins here with ${sign} does not end as it should. Please close it with ${sign}, and write nothing behind it.`
    : `What begins here with ${sign} cannot be read. Please close it with ${sign === '[' ? ']' : '}'}, with commas between the entries.`

/** The outermost unclosed quote or bracket around the place, where the mistake is visible. */
function openedBefore(yaml: Document, offset: number): number | null {
  let found: number | null = null
  visit(yaml, (_, node) => {
    if (!isNode(node) || !node.range) return
    const [start, , end] = node.range
    const isQuoted = isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')
    if (!isQuoted && !(isCollection(node) && node.flow)) return
    if (start > offset || offset > end) return
    found = start
    return visit.BREAK
  })
  return found
}

/** Explains a second colon in one line, or a line indented under a value. */
function sayNested(offset: number, source: string): Unreadable {
  if ((lineAround(source, offset).match(/:(\s|$)/g) ?? []).length > 1)
    return {
      offset,
      message: 'There is a second colon in this line. Please put what follows the first in quotes: "...".',
    }
  const below = source.indexOf('\n', offset) + 1
  return { offset: below > 0 && below < source.length ? below : offset, message: COLUMNS }
}

function lineAround(source: string, offset: number): string {
  const start = source.lastIndexOf('\n', offset - 1) + 1
  const end = source.indexOf('\n', offset)
  return source.slice(start, end < 0 ? source.length : end)
}
