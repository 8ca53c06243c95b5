/** A readable page of the API, drawn from the calls themselves. Needs no script. */
import type { Call } from './contract/call.ts'
import { CALLS } from './contract/calls.ts'
import { isOpenToKeys, MAY } from './contract/may.ts'

const toText = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const docsPage =
  (): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Liftwell API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Liftwell API</h1>
<p>Send an API key of your company (Company settings, API keys) as <code>Authorization: Bearer lw_…</code>, and
<code>X-Sub-Tenant-Id</code> to enter a sub-tenant. People who are signed in send their access token,
<code>X-Tenant-Id</code> and, where it applies, <code>X-Impersonate-Tenant-Id</code>. A refusal answers
<code>{"has_error": true, "status", "detail"}</code>. The whole document: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Call</th><th>What it does</th><th>Parameters</th><th>For</th><th>API keys</th></tr></thead><tbody>${CALLS.map(row).join('\n')}</tbody></table>
</main></body></html>`

function row(call: Call): string {
  const { method, path, does, ids, query, may } = call
  const parameters = [ids, query].flatMap((schema) => Object.keys(schema?.shape ?? {}))
  const cells = [does, parameters.join(', '), MAY[may], isOpenToKeys(call) ? 'yes' : 'no'].map(
    (text) => `<td>${toText(text)}</td>`,
  )
  return `<tr><td><code>${method} /api/v1${toText(path)}</code></td>${cells.join('')}</tr>`
}
