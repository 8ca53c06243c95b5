/** A readable page of the API, drawn from the same routes as openapi.json. Needs no script. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { ApiEnv } from './env.server.ts'

type Operation = {
  summary?: string
  description?: string
  tags?: string[]
  parameters?: { name: string; in: string; required?: boolean }[]
}

const toText = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export function docsPage(api: OpenAPIHono<ApiEnv>): string {
  const { paths = {} } = api.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Liftwell', version: '1' },
  })
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) =>
      row(method, path, operation),
    ),
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Liftwell API</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main><h1>Liftwell API</h1>
<p>Send <code>Authorization: Bearer</code>, <code>X-Tenant-Id</code> and, where they apply,
<code>X-Impersonate-Tenant-Id</code> and <code>X-Sub-Tenant-Id</code>. A refusal answers
<code>{"has_error": true, "status", "detail"}</code>. The whole document: <a href="/api/v1/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>Call</th><th>What it does</th><th>Parameters</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
</main></body></html>`
}

function row(method: string, path: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).filter((one) => one.in !== 'header').map((one) => one.name)
  return `<tr><td><code>${method.toUpperCase()} ${toText(path)}</code></td><td>${toText(operation.summary ?? '')}</td><td>${toText(parameters.join(', '))}</td></tr>`
}
