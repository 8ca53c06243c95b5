/** What is refused before the framework is asked: its reader would take such an answer for a broken one of its own. */

/** From now on such an answer is thrown as the framework throws those that it knows. */
export function readRefusals(): void {
  const ask = window.fetch
  window.fetch = async (...asked) => {
    const answer = await ask(...asked)
    if (!isRefusal(answer)) return answer
    // By its shape the router knows it for an answer, of which no monitor is told.
    throw { status: answer.status, statusText: '', internal: true, data: await answer.json() }
  }
}

/** Of a page's data; the framework marks its own answers. */
const isRefusal = ({ ok, url, headers }: Response): boolean =>
  !ok && !headers.has('x-remix-response') && /\.data(\?|$)/.test(url)
