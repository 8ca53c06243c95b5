/**
 * Makes every guard of the program removable at run time: each place that refuses (403, 404, nobody) and each question
 * of permission. The source is rewritten when it is loaded; nothing changes on disk.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/** `file:line words`, where the words are its condition or its name. */
export type Guard = { id: string; file: string; words: string; kind: 'refusal' | 'question' }

/** The folders in which people are refused or let in. */
const ROOMS = /\/app\/(api|auth|domain)\/.*\.ts$/
/** What a removed question answers. */
const OPEN: Record<string, string> = {
  isLetIn: 'true',
  isOperator: 'true',
  isTenantWide: 'true',
  shouldEnterSubTenant: 'false',
  onlySubTenant: 'null',
  enterableSubTenants: 'null',
  workingElsewhere: 'Promise.resolve(new Set())',
}
const openAnswerOf = (name: string) => OPEN[name] ?? (/^may[A-Z]/.test(name) ? 'true' : undefined)
const REFUSAL = /^(forbidden\(|notFound\(|new UnauthorizedError\(|new Refusal\(40[34])/

const guards: Guard[] = []
const reached = new Set<string>()
let off: ReadonlySet<string> = new Set()

/** Call it before anything of app/ is imported. */
export function makeGuardsRemovable(root: string): void {
  Object.assign(globalThis, {
    isOnGuard(id: string) {
      reached.add(id)
      return !off.has(id)
    },
  })
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.startsWith('file:') || !isGuarded(url)) return nextLoad(url, context)
      const path = fileURLToPath(url)
      const source = instrument(readFileSync(path, 'utf8'), relative(root, path))
      return { format: 'module-typescript', source, shortCircuit: true }
    },
  })
}

/** Whether a file contains guards. */
export const isGuarded = (path: string): boolean => ROOMS.test(path) && !path.includes('.test.')

export const allGuards = (): readonly Guard[] => guards

/** Guards that were asked, or refused somebody, since the last call. */
export function takeReached(): string[] {
  const ids = [...reached]
  reached.clear()
  return ids
}

/** Removes these guards, and restores those removed before. */
export function takeAway(...ids: string[]): void {
  off = new Set(ids)
}

type Edit = { from: number; to: number; text: string }

/** Inserts before each guard of the source a check whether it is removed. */
export function instrument(source: string, file: string): string {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const edits: Edit[] = []
  const line = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
  const note = (kind: Guard['kind'], node: ts.Node, words: string): string => {
    const said = words.replace(/\s+/g, ' ').slice(0, 70)
    const id = `${file}:${line(node)} ${said}`
    guards.push({ id, file, words: said, kind })
    return `globalThis.isOnGuard(${JSON.stringify(id)})`
  }
  const visit = (node: ts.Node): void => {
    edits.push(...refusalIn(node, note), ...questionIn(node, note))
    node.forEachChild(visit)
  }
  visit(tree)
  return edits
    .sort((one, other) => other.from - one.from)
    .reduce((text, { from, to, text: put }) => text.slice(0, from) + put + text.slice(to), source)
}

type Note = (kind: Guard['kind'], node: ts.Node, words: string) => string

function refusalIn(node: ts.Node, note: Note): Edit[] {
  if (!ts.isThrowStatement(node) || !REFUSAL.test(node.expression.getText())) return []
  const condition = ts.isIfStatement(node.parent) ? node.parent.expression.getText() : node.getText()
  const asks = note('refusal', node, condition)
  return [
    { from: node.getStart(), to: node.getStart(), text: `{ if (${asks}) ` },
    { from: node.getEnd(), to: node.getEnd(), text: ' }' },
  ]
}

function questionIn(node: ts.Node, note: Note): Edit[] {
  if (ts.isFunctionDeclaration(node) && node.body) {
    const name = node.name?.text ?? ''
    const answer = openAnswerOf(name)
    if (answer === undefined) return []
    const at = node.body.getStart() + 1
    return [{ from: at, to: at, text: ` if (!${note('question', node, name)}) return ${answer};` }]
  }
  if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isArrowFunction(node.initializer)) return []
  const name = node.name.getText()
  const answer = openAnswerOf(name)
  const { body } = node.initializer
  if (answer === undefined || ts.isBlock(body)) return []
  return [
    { from: body.getStart(), to: body.getStart(), text: `${note('question', node, name)} ? (` },
    { from: body.getEnd(), to: body.getEnd(), text: `) : ${answer}` },
  ]
}
