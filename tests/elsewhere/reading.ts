/** Reads pages of the screens that run alone. */
import type { Visitor } from '#tests/support/visitor.ts'

export const words = (html: string): string =>
  html
    .replace(/<script[\s\S]*?<\/script>/g, ' ')
    .replace(/<!--.*?-->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, '’')
    .replace(/&quot;/g, '"')
    .replace(/\s+/g, ' ')

/** The page itself, without the frame around it. */
const pageOf = (html: string): string => words(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? '')
export const isFramed = (html: string): boolean => html.includes('aria-label="Main"')

export async function read(visitor: Visitor, path: string) {
  const { response, html, path: end } = await visitor.follow(await visitor.visit(path))
  return { status: response.status, page: pageOf(html), html, end }
}

export async function send(visitor: Visitor, path: string, fields: Parameters<Visitor['submit']>[1]) {
  const answer = await visitor.submit(path, fields)
  const { response, html, path: end } = await visitor.follow(answer)
  return { first: answer.status, status: response.status, html, page: pageOf(html), end }
}
