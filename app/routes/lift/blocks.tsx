/** The blocks of a lift's page, above its questions. */
import type { Block } from '#app/domain/lifts/blocks.ts'

type DrawnBlock = { block: Block; html: string | null }

export function Blocks({ blocks }: { blocks: readonly DrawnBlock[] }) {
  return blocks.map((drawn, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name of their own and never move on this page
    <LiftBlock key={index} {...drawn} />
  ))
}

function LiftBlock({ block, html }: DrawnBlock) {
  switch (block.kind) {
    case 'text':
      return <Prose html={html ?? ''} />
    case 'callout':
      return (
        <aside className="lift-callout" data-tone={block.tone}>
          <Prose html={html ?? ''} />
        </aside>
      )
    case 'image':
      return <img className="lift-image" src={block.src} alt={block.alt} loading="lazy" />
    case 'video':
    case 'audio':
      return (
        <figure className="lift-media">
          <figcaption dir="auto">{block.title}</figcaption>
          {block.kind === 'video' ? (
            // biome-ignore lint/a11y/useMediaCaption: its captions or its transcript, which is asked for
            <video src={block.src} controls preload="none">
              {block.captions ? <Captions src={block.captions} /> : null}
            </video>
          ) : (
            // biome-ignore lint/a11y/useMediaCaption: its captions or its transcript, which is asked for
            <audio src={block.src} controls preload="none">
              {block.captions ? <Captions src={block.captions} /> : null}
            </audio>
          )}
          {block.transcript ? (
            <details>
              <summary>Transcript</summary>
              <p className="lift-transcript" dir="auto">
                {block.transcript}
              </p>
            </details>
          ) : null}
        </figure>
      )
    case 'file':
      return (
        <p dir="auto">
          <a href={block.src} download>
            {block.title}
          </a>
        </p>
      )
    case 'link':
      return (
        <p dir="auto">
          <a href={block.href} rel="noopener noreferrer nofollow">
            {block.title}
          </a>
        </p>
      )
  }
}

const Captions = ({ src }: { src: string }) => (
  <track kind="captions" src={src} srcLang="en" label="Captions" default />
)

/** HTML that `renderMarkdown` made, in which raw HTML is text. */
function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made on the server from Markdown, raw HTML escaped
  return <div className="lift-prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}
