/**
 * Renders authors' Markdown as HTML on the server, so that phones load no parser. HTML in it is shown as text, and
 * script URLs are dropped.
 */
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown, { type Components } from 'react-markdown'
import type { Block } from '#app/domain/lifts/blocks.ts'

const components: Components = {
  a: ({ href, children }) =>
    href ? (
      <a href={href} rel="noopener noreferrer nofollow">
        {children}
      </a>
    ) : (
      children
    ),
  // The page already has an h1, and loads nothing external: pictures are separate blocks.
  h1: 'h2',
  img: ({ alt }) => <>{alt}</>,
}

type Node = { type: string; value?: string | undefined; children?: Node[] | undefined }

/** HTML typed by an author stays visible as text, in its own paragraph if it was alone. */
const htmlAsText = () => (tree: Node) => {
  const asText = (node: Node, parent: Node): Node => {
    node.children = node.children?.map((child) => asText(child, node))
    if (node.type !== 'html') return node
    const text = { type: 'text', value: node.value }
    return BLOCKS.includes(parent.type) ? { type: 'paragraph', children: [text] } : text
  }
  tree.children = tree.children?.map((child) => asText(child, tree))
}
const BLOCKS = ['root', 'blockquote', 'listItem']

/** Allows web, mail and local URLs; `//elsewhere` only looks local. */
const plainAddress = (url: string) => (/^(https?:\/\/|mailto:|\/(?![\\/])|#)/i.test(url) ? url : undefined)

const MAX_LINES = 1_000
const MAX_RUNS = 2_000
const MAX_RUNS_TOGETHER = 600
const runsIn = (text: string) => text.match(/[*_]+/g)?.length ?? 0
const PARTS = /\n(?=[ \t]*(?:\n|[-*+#>][ \t]|\d+[.)][ \t]))/
const DEEP = /^[ \t]{80}|^[ \t]*(>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+){20}/m

/** Input that would take seconds to parse (quadratic in runs of stars), or is nested too deeply: shown as typed. */
const isTooMuch = (markdown: string): boolean =>
  DEEP.test(markdown) ||
  markdown.split('\n', MAX_LINES + 1).length > MAX_LINES ||
  runsIn(markdown) > MAX_RUNS ||
  markdown.split(PARTS).some((part) => runsIn(part) > MAX_RUNS_TOGETHER)

export function renderMarkdown(markdown: string): string {
  if (isTooMuch(markdown)) return renderToStaticMarkup(<p>{markdown}</p>)
  return renderToStaticMarkup(
    <Markdown remarkPlugins={[htmlAsText]} components={components} urlTransform={plainAddress}>
      {markdown}
    </Markdown>,
  )
}

/** A block with its prose rendered as HTML; the Markdown is not sent to the browser. */
export type DrawnBlock = { block: Block; html: string | null }

export const drawBlocks = (blocks: readonly Block[]): DrawnBlock[] =>
  blocks.map((block) =>
    'markdown' in block
      ? { block: { ...block, markdown: '' }, html: renderMarkdown(block.markdown) }
      : { block, html: null },
  )
