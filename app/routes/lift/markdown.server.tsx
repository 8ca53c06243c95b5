/**
 * Authors' Markdown as HTML, made on the server so that a learner's phone loads no parser.
 * HTML in it is shown as the text it is, and addresses of scripts are dropped.
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
  // The page has its title, and loads nothing from elsewhere: pictures are blocks of their own.
  h1: 'h2',
  img: ({ alt }) => <>{alt}</>,
}

type Node = { type: string; value?: string | undefined; children?: Node[] | undefined }

/** HTML that an author typed is what they typed: text, in a paragraph of its own where it stood alone. */
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

/** Of the web, of mail, or of this site: `//elsewhere` only looks like the last. */
const plainAddress = (url: string) => (/^(https?:\/\/|mailto:|\/(?![\\/])|#)/i.test(url) ? url : undefined)

const MAX_LINES = 1_000
const MAX_RUNS = 2_000
const MAX_RUNS_TOGETHER = 600
const runsIn = (text: string) => text.match(/[*_]+/g)?.length ?? 0
const PARTS = /\n(?=[ \t]*(?:\n|[-*+#>][ \t]|\d+[.)][ \t]))/
const DEEP = /^[ \t]{80}|^[ \t]*(>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+){20}/m

/** Would be parsed for seconds, as the square of its runs of stars is, or is nested past reading: shown as it was typed. */
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

/** A block with its prose already in HTML; the Markdown itself stays here. */
export type DrawnBlock = { block: Block; html: string | null }

export const drawBlocks = (blocks: readonly Block[]): DrawnBlock[] =>
  blocks.map((block) =>
    'markdown' in block
      ? { block: { ...block, markdown: '' }, html: renderMarkdown(block.markdown) }
      : { block, html: null },
  )
