/** Splits a journey's file into sections, each with its line. */
import { MARKER } from './document-writing.ts'

export type Section = {
  /** `open` has no end marker, `stray` is an end marker without a beginning: their content is not read. */
  kind: 'front' | 'lift' | 'text' | 'fence' | 'open' | 'stray'
  name: string
  body: string
  /** The first line of the section, and of its body; lines count from 1. */
  line: number
  bodyLine: number
}
export type Report = (line: number, message: string) => void

const BEGINS = /^(~~~|# Lift:)/

export function cutSections(text: string, report: Report): Section[] {
  const lines = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split('\n')
  const sections: Section[] = []
  let at = cutFront(lines, sections, report)
  while (at < lines.length) at = cutNext(lines, at, sections, report)
  return sections
}

/** An unclosed part ends where the next one begins, so that one mistake is reported once. */
function cutFront(lines: readonly string[], sections: Section[], report: Report): number {
  const start = lines.findIndex((line) => line.trim() !== '')
  if (start === -1) {
    report(1, 'There is nothing in this file.')
    return lines.length
  }
  const isMark = (index: number) => lines[index]?.trimEnd() === '---'
  const fence = indexFrom(lines, start, (line) => line.startsWith('~~~'))
  const end = isMark(start) ? indexFrom(lines, start + 1, (_, index) => isMark(index)) : fence
  if (end < fence) {
    sections.push(section('front', '', lines.slice(start + 1, end), start + 1, start + 2))
    return end + 1
  }
  report(
    start + 1,
    isMark(start)
      ? 'The settings of the journey begin here and have no end. Please write a line with --- below them.'
      : 'A file begins with the settings of the journey. Please write a line with --- above them and one below.',
  )
  sections.push(section('open', '', [], start + 1, start + 1))
  return indexFrom(lines, start, (line) => BEGINS.test(line))
}

function cutNext(lines: readonly string[], start: number, sections: Section[], report: Report): number {
  const line = lines[start] ?? ''
  if (line.startsWith('# Lift:')) {
    sections.push(section('lift', line.slice(7).trim(), [], start + 1, start + 1))
    return start + 1
  }
  if (line.startsWith('~~~')) return cutFence(lines, start, sections, report)
  const end = indexFrom(lines, start, (one) => BEGINS.test(one))
  const own = lines
    .slice(start, end)
    .map((one) => (one.startsWith('\\') && MARKER.test(one) ? one.slice(1) : one))
  const skipped = own.findIndex((one) => one.trim() !== '')
  if (skipped !== -1) sections.push(section('text', '', own, start + 1 + skipped, start + 1))
  return end
}

function cutFence(lines: readonly string[], start: number, sections: Section[], report: Report): number {
  const name = (lines[start] ?? '').slice(3).trim()
  if (name === '') {
    report(
      start + 1,
      'A part ends here, but none begins above it. Please write its first line, such as ~~~question, or remove this one.',
    )
    sections.push(section('stray', '', [], start + 1, start + 1))
    return start + 1
  }
  const end = indexFrom(lines, start + 1, (one) => one.startsWith('~~~'))
  if (lines[end]?.trimEnd() === '~~~') {
    sections.push(section('fence', name, lines.slice(start + 1, end), start + 1, start + 2))
    return end + 1
  }
  report(
    start + 1,
    `The part ~~~${name.slice(0, 40)} begins here and has no end. Please write a line with ~~~ below it.`,
  )
  sections.push(section('open', name, [], start + 1, start + 1))
  return indexFrom(lines, start + 1, (one) => BEGINS.test(one))
}

function indexFrom(
  lines: readonly string[],
  start: number,
  isSo: (line: string, index: number) => boolean,
): number {
  let at = start
  while (at < lines.length && !isSo(lines[at] ?? '', at)) at += 1
  return at
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
