/** The frame of the pages about the API. They need neither script nor style. */

export const toText = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

export const docsLayout = (title: string, main: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${toText(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body><main>${main}</main></body></html>`
