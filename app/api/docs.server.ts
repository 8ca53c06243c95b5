/** The documentation page of the API, rendered from the calls themselves. Needs no script. */
import { html } from 'hono/html'
import { type Call, fieldsOf } from './contract/call.ts'
import { CALLS } from './contract/calls.ts'
import { KEYS } from './contract/limits.ts'
import { isOpenToKeys, MAY } from './contract/may.ts'
import { docsLayout, type Html } from './docs-layout.server.ts'
import { canBeTried, tryPath } from './try-it.server.ts'

export const docsPage = (): string =>
  docsLayout(
    'Liftwell API',
    html`<h1>Liftwell API</h1>
<p>Send an API key of your company (Company settings, API keys) as <code>Authorization: Bearer lw_…</code>, and
<code>X-Sub-Tenant-Id</code> to enter a sub-tenant. People who are signed in send their access token,
<code>X-Tenant-Id</code> and, where it applies, <code>X-Impersonate-Tenant-Id</code>. A refusal answers
<code>{"has_error": true, "status", "detail"}</code>. The whole document: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<p>Each API key can make ${KEYS.perMinute} calls a minute. Every answer to a key says how many are left in <code>RateLimit-Limit</code>,
<code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (seconds).</p>
<nav aria-label="Areas"><ul>${AREAS.map(({ name }) => html`<li><a href="#${name}">${titleOf(name)}</a></li>`)}</ul></nav>
${AREAS.map(section)}`,
  )

const AREAS = [...Map.groupBy(CALLS, ({ path }) => path.split('/')[1] ?? '')].map(([name, calls]) => ({
  name,
  calls,
}))

const TITLES: Record<string, string> = { lljs: 'LLJs (learning journeys)', api_keys: 'API keys' }

const titleOf = (name: string): string =>
  TITLES[name] ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ')

const section = ({ name, calls }: (typeof AREAS)[number]): Html =>
  html`<section aria-labelledby="${name}"><h2 id="${name}">${titleOf(name)}</h2>
<ul class="calls">${calls.map(item)}</ul></section>`

function item(call: Call): Html {
  const { method, path, does, ids, query, may } = call
  const parameters = [ids, query].flatMap(fieldsOf)
  const name = `${method} /api/v1${path}`
  const keys = canBeTried(call)
    ? html`API keys: yes. <a href="${tryPath(call)}" aria-label="Try it: ${name}">Try it</a>`
    : `API keys: ${isOpenToKeys(call) ? 'yes' : 'no'}.`
  return html`<li><code>${name}</code><p>${does}</p>
<p class="quiet">${parameters.length > 0 && html`Parameters: <code>${parameters.join(', ')}</code>. `}For: ${MAY[may]}. ${keys}</p></li>`
}
