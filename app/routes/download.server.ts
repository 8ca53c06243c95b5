/** A file of the API, handed on to the browser. */
const ABOUT_THE_FILE = ['content-type', 'content-disposition', 'cache-control']

export function asDownload(answer: Response): Response {
  const headers = ABOUT_THE_FILE.map((name): [string, string] => [name, answer.headers.get(name) ?? ''])
  return new Response(answer.body, { headers })
}

/** A link to a file has no page of its own to say it on. */
export function sayTooOften(error: unknown): never {
  if (!(error instanceof Response) || error.status !== 429) throw error
  const page = `<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Too many requests</title>
<main><h1>Too many requests</h1><p>Too many requests. Please try again in a minute.</p>
<p><a href="/">Go back home</a></p></main></html>`
  const retryAfter = error.headers.get('retry-after') ?? '60'
  throw new Response(page, {
    status: 429,
    headers: { 'content-type': 'text/html; charset=utf-8', 'retry-after': retryAfter },
  })
}
