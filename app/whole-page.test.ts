import { createElement as h } from 'react'
import { renderToPipeableStream, renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { wholePage } from './whole-page.server.ts'

const LETTERS = { two: 'ليلى', three: '学ぶ', four: '🧭' }

/** A page whose letters fall, piece by piece, on every place in React's pieces. */
const list = (letters: string, offset: number) =>
  h(
    'ul',
    { title: 'x'.repeat(offset) },
    Array.from({ length: 1000 }, (_, i) => h('li', { key: i }, `${i} ${letters}`)),
  )

it.each(Object.entries(LETTERS))('letters of %s bytes leave no gap in a page', async (_, letters) => {
  for (let offset = 0; offset < 8; offset++) {
    const page = list(letters, offset)
    const html = await new Promise<string>((resolve) => {
      const { pipe } = renderToPipeableStream(page, {
        onAllReady: () => pipe(wholePage((bytes) => resolve(Buffer.from(bytes).toString()))),
      })
    })
    expect(html).not.toContain('\0')
    expect(html).toBe(renderToStaticMarkup(page))
  }
})
