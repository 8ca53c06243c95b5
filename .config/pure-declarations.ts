import type { Plugin } from 'vite'

const WRITTEN_DOWN = ['ArrowFunctionExpression', 'FunctionExpression', 'Literal', 'Identifier']

/**
 * Rollup keeps what a module computes when it loads, in case of side effects. Ours only declare: with each computed
 * constant marked as pure, a screen that imports a list of names from a noun's file does not bring its schemas, and
 * zod, to the browser.
 */
export const pureDeclarations: Plugin = {
  name: 'pure-declarations',
  apply: 'build',
  enforce: 'post',
  transform(code, id, options) {
    if (options?.ssr || !/\/app\/[^?]+\.tsx?(\?|$)/.test(id)) return
    const values = this.parse(code)
      .body.map((one) => (one.type === 'ExportNamedDeclaration' ? one.declaration : one))
      .flatMap((one) => (one?.type === 'VariableDeclaration' ? one.declarations : []))
      .flatMap(({ init }) => (init && !WRITTEN_DOWN.includes(init.type) ? [init as unknown as Span] : []))
    return values.reduceRight((marked, { start, end }) => {
      const value = `/* @__PURE__ */ (() => (${code.slice(start, end)}))()`
      return marked.slice(0, start) + value + marked.slice(end)
    }, code)
  },
}

type Span = { start: number; end: number }
