/**
 * Makes `fetch` throw refusals of the front, or of a proxy, as route errors: Remix would try to decode them as a page's data
 * and show a crash instead of the reason.
 */
export function readRefusals(): void {
  const ask = window.fetch
  window.fetch = async (...asked) => {
    const answer = await ask(...asked)
    if (!isRefusal(answer)) return answer
    // The router recognizes this shape as an answer, which is not reported to monitoring.
    throw {
      status: answer.status,
      statusText: '',
      internal: true,
      data: await answer.json().catch(() => null),
    }
  }
}

/** Whether an answer for a page's data is not from Remix, which marks its own. */
const isRefusal = ({ ok, url, headers }: Response): boolean =>
  !ok && !headers.has('x-remix-response') && /\.data(\?|$)/.test(url)
