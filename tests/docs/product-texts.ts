/** Every text of the product: string literals, templates and JSX text of its sources, without comments. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

export type ProductText = { place: string; text: string }

const isSource = (file: string) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|^app\/db\/schema\.ts$/.test(file)
const SQL =
  /^\(?(select|insert into|update|delete from|from|with|lock table|create|grant|alter|and|or|case when|exists|not exists)\b/

export function productTexts(): ProductText[] {
  const files = execFileSync('git', ['ls-files', 'app', 'server.ts'], { encoding: 'utf8' }).split('\n')
  return files.filter(isSource).flatMap((file) => textsOf(file, readFileSync(file, 'utf8')))
}

/** Texts of a source with at least two words; computed parts of a template are `{}`. */
export function textsOf(file: string, source: string): ProductText[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const root = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
  const found: ProductText[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) return
    const text = wordsOf(node)?.replace(/\s+/g, ' ').trim()
    if (text && /[a-z’'] [a-z{“]/i.test(text) && !SQL.test(text)) {
      const { line } = root.getLineAndCharacterOfPosition(node.getStart())
      found.push({ place: `${file}:${line + 1}`, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(root)
  return found
}

function wordsOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isJsxText(node))
    return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
}
