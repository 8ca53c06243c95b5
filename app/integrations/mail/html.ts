/** HTML by template: what is put in is text, and escaped, unless it is HTML already. */

class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type { Html }

type Part = string | Html | readonly Html[] | false | null | undefined

export const asIs = (text: string): Html => new Html(text)

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

export const html = (fixed: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(fixed.reduce((whole, text, index) => whole + textOf(parts[index - 1]) + text))

function textOf(part: Part): string {
  if (part instanceof Html) return part.text
  if (typeof part === 'string') return escapeHtml(part)
  return part ? part.map(({ text }) => text).join('') : ''
}
