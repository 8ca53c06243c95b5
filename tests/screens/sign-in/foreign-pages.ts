/** Steps of visitors on the pages of a foreign provider. */
import type { Visitor } from '#tests/support/visitor.ts'

/** The provider's address to which our interstitial page leads. */
export const leadingAway = (html: string): string =>
  (/<a href="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&')

/** Visits the provider with separate cookies; returns the address that leads back. */
export async function passThrough(
  site: { origin: string },
  there: Visitor,
  address: string,
  sub: string,
): Promise<string> {
  let { pathname, search } = new URL(address)
  let answer = await there.visit(pathname + search)
  for (let hops = 0; hops < 12; hops++) {
    const location = answer.headers.get('location')
    if (location) {
      const url = new URL(location, there.origin)
      if (url.origin === site.origin) return url.pathname + url.search
      ;({ pathname, search } = url)
      answer = await there.visit(pathname + search)
    } else answer = await there.submit(pathname + search, { sub })
  }
  throw new Error('The provider does not lead back')
}
