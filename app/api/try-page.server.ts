/** The form for trying one call, with its answer. */
import { html, raw } from 'hono/html'
import { z } from 'zod'
import { type Call, fieldsOf } from './contract/call.ts'
import { nameOf } from './contract/calls.ts'
import { docsLayout, type Html } from './docs-layout.server.ts'

export type Outcome = { status: number; headers: [name: string, value: string][]; text: string }
type Typed = Record<string, string>

export function tryPage(call: Call, typed: Typed, outcome?: Outcome | { problem: string }): string {
  const name = `${call.method} /api/v1${call.path}`
  const isWrong = outcome !== undefined && 'problem' in outcome
  return docsLayout(
    `${isWrong ? 'Error: ' : ''}Try ${name} · Liftwell API`,
    html`<p><a href="/api/v1/docs">All calls</a></p>
<h1>Try <code>${name}</code></h1>
<p>${call.does}</p>
${call.method !== 'GET' && html`<p><strong>This is a real call: it changes what it says.</strong></p>`}
${outcome && drawOutcome(outcome)}
<form method="post" enctype="multipart/form-data" action="?call=${encodeURIComponent(nameOf(call))}">
${field('key', 'API key', '', 'type="password" autocomplete="off" required aria-describedby="key-help"')}
<p id="key-help">It is used for this call only and stored nowhere.</p>
${field('sub_tenant', 'Sub-tenant ID (optional)', typed.sub_tenant)}
${fieldsOf(call.ids).map((id) => field(`id.${id}`, id, typed[`id.${id}`], 'required'))}
${fieldsOf(call.query).map((query) => field(`query.${query}`, `${query} (optional)`, typed[`query.${query}`]))}
${call.body && bodyField(typed.body ?? exampleOf(call))}
<p><button type="submit">Send</button></p>
</form>`,
  )
}

const field = (name: string, label: string, value = '', more = ''): Html =>
  html`<p><label for="${name}">${label}</label><br><input id="${name}" name="${name}" value="${value}" size="60" ${raw(more)}></p>`

const bodyField = (value: string): Html =>
  html`<p><label for="body">Body (JSON)</label><br><textarea id="body" name="body" rows="12" cols="80" spellcheck="false">${value}</textarea></p>`

/** An example body with the required fields. */
function exampleOf({ body }: Call): string {
  const needed = Object.entries(body?.shape ?? {}).filter(([, field]) => !field.safeParse(undefined).success)
  const blank = needed.map(([name, field]) => [name, field instanceof z.ZodArray ? [] : ''])
  return JSON.stringify(Object.fromEntries(blank), null, 2)
}

function drawOutcome(outcome: Outcome | { problem: string }): Html {
  if ('problem' in outcome) return html`<p role="alert"><strong>${outcome.problem}</strong></p>`
  const headers = outcome.headers.map(([name, value]) => `${name}: ${value}`).join('\n')
  return html`<section aria-labelledby="answer"><h2 id="answer" role="status">Answer: ${outcome.status}</h2>
<pre>${headers}</pre>
<pre tabindex="0">${outcome.text}</pre></section>`
}
