/** A browser without JavaScript, as far as a server can tell. */

/** Compressing and uncompressing pages would be a tenth of the work of a test that visits all of them. */
const PLAIN = 'identity'

type Fields = Record<string, string | string[] | File>

/** Requests in, HTML out: keeps cookies, and follows redirects only when asked. */
export class Visitor {
  readonly origin: string
  readonly cookies = new Map<string, string>()

  constructor(origin: string) {
    this.origin = origin
  }

  visit(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#send(path, init)
  }

  /** Sends what a browser without JavaScript sends for a form; multipart if there is a File in it. */
  submit(path: string, fields: Fields): Promise<Response> {
    const isMultipart = Object.values(fields).some((value) => value instanceof File)
    const body = isMultipart ? new FormData() : new URLSearchParams()
    for (const [name, value] of Object.entries(fields))
      for (const one of Array.isArray(value) ? value : [value]) (body as FormData).append(name, one as string)
    return this.#send(path, { method: 'POST', body })
  }

  /** Follows redirects until there is a page. */
  async follow(answer: Response): Promise<{ response: Response; path: string; html: string }> {
    let response = answer
    let path = new URL(answer.url || this.origin).pathname
    for (let hops = 0; hops < 15; hops++) {
      const isMoved = response.status >= 300 && response.status <= 399
      const location = isMoved ? response.headers.get('location') : refreshOf(response)
      if (!location) break
      const next = new URL(location, new URL(path, this.origin))
      path = `${next.pathname}${next.search}`
      response = await this.visit(path)
    }
    return { response, path, html: await response.text() }
  }

  /** `remember`: for 30 days instead of 12 hours. */
  async signIn(email: string, password: string, { remember = false } = {}): Promise<void> {
    const asked = await this.submit('/login', { email, ...(remember && { remember: 'on' }) })
    const start = await this.follow(asked)
    const end = await this.follow(await this.submit(start.path, { username: email, password }))
    if (!this.cookies.has('__Host-liftwell'))
      throw new Error(`sign-in of ${email} ended at ${end.path} (${end.response.status})`)
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers({
      'accept-encoding': PLAIN,
      ...Object.fromEntries(new Headers(init.headers)),
    })
    headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    if (init.method && init.method !== 'GET') headers.set('origin', this.origin)
    const response = await fetch(new URL(path, this.origin), { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie)
    return response
  }

  #keep(cookie: string): void {
    const [pair = '', ...attributes] = cookie.split(';')
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const isGone = attributes.some((one) => /^\s*max-age=0$/i.test(one) || /^\s*expires=.*1970/i.test(one))
    if (isGone) this.cookies.delete(name)
    else this.cookies.set(name, pair.slice(at + 1))
  }
}

/** The target of a page's automatic redirect (`Refresh` header). */
const refreshOf = ({ headers }: Response): string | null =>
  /^\d+;\s*url=(.+)$/i.exec(headers.get('refresh') ?? '')?.[1] ?? null
