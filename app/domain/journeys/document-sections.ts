/** The lines of a journey's file as sections, each knowing where it stands. */
import { MARKER } from './document-writing.ts'

export type Section = {
  kind: 'front' | 'lift' | 'text' | 'fence'
  /** The name of a fence, the title of a lift. */
  name: string
  body: string
  /** Where the section begins, and where its body does; lines count from 1. */
  line: number
  bodyLine: number
}
export type Report = (line: number, message: string) => void

export function cutSections(text: string, report: Report): Section[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const sections: Section[] = []
  let at = 0
  while (at < lines.length && lines[at]?.trim() === '') at += 1
  if (lines[at]?.trimEnd() === '---') {
    const end = lines.findIndex((line, index) => index > at && line.trimEnd() === '---')
    if (end === -1) report(at + 1, 'The front matter does not end: a line with --- is missing.')
    const last = end === -1 ? lines.length : end
    sections.push(section('front', '', lines.slice(at + 1, last), at + 1, at + 2))
    at = last + 1
  } else
    report(at + 1, 'The file begins with front matter: a line with ---, then the settings of the journey.')

  while (at < lines.length) at = cutNext(lines, at, sections, report)
  return sections
}

function cutNext(lines: readonly string[], start: number, sections: Section[], report: Report): number {
  const line = lines[start] ?? ''
  if (line.startsWith('# Lift: ')) {
    sections.push(section('lift', line.slice(8).trim(), [], start + 1, start + 1))
    return start + 1
  }
  if (line.startsWith('~~~')) {
    const end = lines.findIndex((one, index) => index > start && one.trimEnd() === '~~~')
    if (end === -1) report(start + 1, `The section ${line.trim()} does not end: a line with ~~~ is missing.`)
    const last = end === -1 ? lines.length : end
    sections.push(section('fence', line.slice(3).trim(), lines.slice(start + 1, last), start + 1, start + 2))
    return last + 1
  }
  let end = start
  while (end < lines.length && !/^(~~~|# Lift: )/.test(lines[end] ?? '')) end += 1
  const own = lines
    .slice(start, end)
    .map((one) => (one.startsWith('\\') && MARKER.test(one) ? one.slice(1) : one))
  const skipped = own.findIndex((one) => one.trim() !== '')
  if (skipped !== -1) sections.push(section('text', '', own, start + 1 + skipped, start + 1))
  return end
}

const section = (
  kind: Section['kind'],
  name: string,
  body: readonly string[],
  line: number,
  bodyLine: number,
) => ({
  kind,
  name,
  body: body.join('\n'),
  line,
  bodyLine,
})
