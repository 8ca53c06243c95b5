/**
 * Makes `fetch` throw refusals of the front, or of a proxy, as route errors: Remix would try to decode them as a page's data
 * and show a crash instead of the reason.
 */
export function readRefusals(): void {
  const ask = window.fetch
  window.fetch = async (...asked) => {
    const answer = await ask(...asked)
    const { ok, status, url, headers } = answer
    // Remix marks its own answers.
    if (ok || headers.has('x-remix-response') || !url.includes('.data')) return answer
    const data = await answer.json().catch(() => null)
    // The router recognizes this shape as an answer, which is not reported to monitoring.
    throw { status, statusText: '', internal: true, data }
  }
}
