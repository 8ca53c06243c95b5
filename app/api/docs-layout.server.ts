/** The frame of the pages about the API: without script, with a style of their own (public/api-docs.css). */

export const toText = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const docsLayout = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${toText(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="/api-docs.css"><link rel="icon" href="/favicon.svg"></head>
<body><main>${main}</main></body></html>`
