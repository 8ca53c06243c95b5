/** The frame of the API's documentation pages: without scripts, with their own stylesheet (public/api-docs.css). */
import { html } from 'hono/html'

export type Html = ReturnType<typeof html>

export const docsLayout = (title: string, main: Html): string =>
  String(html`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/api-docs.css"><link rel="icon" href="/favicon.svg"></head>
<body><main>${main}</main></body></html>`)
