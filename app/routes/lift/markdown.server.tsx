/**
 * Authors' Markdown as HTML, made on the server so that a learner's phone loads no parser.
 * Raw HTML in it is dropped, and addresses of scripts with it; images and headings of the page's own are not theirs.
 */
import { renderToStaticMarkup } from 'react-dom/server'
import Markdown, { type Components } from 'react-markdown'
import type { Block } from '#app/domain/lifts/blocks.ts'

const DISALLOWED = ['img', 'h1']

const components: Components = {
  a: ({ href, children }) => (
    <a href={href} rel="noopener noreferrer nofollow">
      {children}
    </a>
  ),
}

export function renderMarkdown(markdown: string): string {
  return renderToStaticMarkup(
    <Markdown skipHtml disallowedElements={DISALLOWED} unwrapDisallowed components={components}>
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
