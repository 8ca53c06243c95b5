/** The counts of one source file. */
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export type Measured = { path: string; lines: number; comments: number; functions: Fn[] }
export type Fn = { path: string; name: string; line: number; lines: number }

export function measureFile(path: string): Measured {
  const text = readFileSync(path, 'utf8')
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1
  const functions: Fn[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = lineOf(node.getStart(source))
      functions.push({ path, name: nameOf(node, source), line, lines: lineOf(node.end) - line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { path, lines: text.split('\n').length - 1, comments: commentLines(source, text), functions }
}

function nameOf(node: ts.SignatureDeclaration, source: ts.SourceFile): string {
  if (node.name) return node.name.getText(source)
  const { parent } = node
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.name.getText(source)
  return '(anonymous)'
}

/** Lines with a comment; JSX text and strings that look like comments do not count. */
function commentLines(source: ts.SourceFile, text: string): number {
  const lines = new Set<number>()
  const seen = new Set<number>()
  const take = (ranges: readonly ts.CommentRange[] | undefined) => {
    for (const { pos, end } of ranges ?? []) {
      const first = source.getLineAndCharacterOfPosition(pos).line
      const last = source.getLineAndCharacterOfPosition(end).line
      for (let line = first; line <= last; line++) lines.add(line)
    }
  }
  const visit = (node: ts.Node): void => {
    const start = node.getFullStart()
    if (!seen.has(start) && node.kind !== ts.SyntaxKind.JsxText) {
      seen.add(start)
      take(ts.getLeadingCommentRanges(text, start))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return lines.size
}
