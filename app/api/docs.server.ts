/** A readable page of the API, drawn from the calls themselves. Needs no script. */
import { type Call, fieldsOf } from './contract/call.ts'
import { CALLS } from './contract/calls.ts'
import { KEYS } from './contract/limits.ts'
import { isOpenToKeys, MAY } from './contract/may.ts'
import { docsLayout, toText } from './docs-layout.server.ts'
import { canBeTried, tryPath } from './try-it.server.ts'

export const docsPage = (): string =>
  docsLayout(
    'Liftwell API',
    `<h1>Liftwell API</h1>
<p>Send an API key of your company (Company settings, API keys) as <code>Authorization: Bearer lw_…</code>, and
<code>X-Sub-Tenant-Id</code> to enter a sub-tenant. People who are signed in send their access token,
<code>X-Tenant-Id</code> and, where it applies, <code>X-Impersonate-Tenant-Id</code>. A refusal answers
<code>{"has_error": true, "status", "detail"}</code>. The whole document: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<p>Each API key can make ${KEYS.perMinute} calls a minute. Every answer to a key says how many are left in <code>RateLimit-Limit</code>,
<code>RateLimit-Remaining</code> and <code>RateLimit-Reset</code> (seconds).</p>
<table><thead><tr><th>Call</th><th>What it does</th><th>Parameters</th><th>For</th><th>API keys</th></tr></thead><tbody>${CALLS.map(row).join('\n')}</tbody></table>`,
  )

function row(call: Call): string {
  const { method, path, does, ids, query, may } = call
  const parameters = [ids, query].flatMap(fieldsOf)
  const name = `${method} /api/v1${toText(path)}`
  const tryIt = canBeTried(call)
    ? `<a href="${toText(tryPath(call))}" aria-label="Try ${name}">Try it</a>`
    : isOpenToKeys(call)
      ? 'yes'
      : 'no'
  const cells = [does, parameters.join(', '), MAY[may]].map((text) => `<td>${toText(text)}</td>`)
  return `<tr><td><code>${name}</code></td>${cells.join('')}<td>${tryIt}</td></tr>`
}
