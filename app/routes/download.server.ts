/** A file of the API, passed on to the browser. */
const ABOUT_THE_FILE = ['content-type', 'content-disposition', 'cache-control']

export function asDownload(answer: Response): Response {
  const headers = ABOUT_THE_FILE.map((name): [string, string] => [name, answer.headers.get(name) ?? ''])
  return new Response(answer.body, { headers })
}
