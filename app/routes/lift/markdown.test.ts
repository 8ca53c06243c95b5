import { expect, it } from 'vitest'
import { renderMarkdown } from './markdown.server.tsx'

it.each([
  ['People **remember** who listened.', '<p>People <strong>remember</strong> who listened.</p>'],
  ['<div>Hello</div>\nand more', '<p>&lt;div&gt;Hello&lt;/div&gt;\nand more</p>'],
  ['<b>Bold</b> is written with stars.', '<p>&lt;b&gt;Bold&lt;/b&gt; is written with stars.</p>'],
  ['a <script>alert(1)</script> b', '<p>a &lt;script&gt;alert(1)&lt;/script&gt; b</p>'],
  ['> <hr>\n\ntext', '<blockquote>\n<p>&lt;hr&gt;</p>\n</blockquote>\n<p>text</p>'],
  ['<!-- a note -->', '<p>&lt;!-- a note --&gt;</p>'],
  ['[here](javascript:alert(1))', '<p>here</p>'],
  ['[here](//elsewhere.example/x)', '<p>here</p>'],
  ['[a lift](/lift/7)', '<p><a href="/lift/7" rel="noopener noreferrer nofollow">a lift</a></p>'],
  ['![alt](https://elsewhere.example/x.png) text', '<p>alt text</p>'],
  ['# Not a title', '<h2>Not a title</h2>'],
])('Markdown %j is shown without losing text or running any of it', (markdown, html) => {
  expect(renderMarkdown(markdown)).toBe(html)
})

it.each([
  ['> ', 9_500],
  ['>', 19_000],
  ['1. ', 6_000],
  ['**a*', 4_975],
  ['*a_ ', 4_900],
  ['*a_\n\n', 3_900],
  ['a\n===\n', 3_300],
])('Markdown shows %j as it was typed if it is repeated %i times', (part, times) => {
  const markdown = part.repeat(times)
  expect(renderMarkdown(markdown)).toBe(`<p>${markdown.replaceAll('>', '&gt;')}</p>`)
})

it('Markdown shows all of a long text', () => {
  const items = Array.from({ length: 190 }, (_, nth) => `- **${nth}** is _said_`).join('\n')
  const html = renderMarkdown(`${items}\n\n${'-'.repeat(40)}\n\n> > a quote of a quote`)
  expect(html.match(/<strong>/g)).toHaveLength(190)
  expect(html).toContain('<hr/>')
  expect(html).toContain('<blockquote>\n<blockquote>')
})
