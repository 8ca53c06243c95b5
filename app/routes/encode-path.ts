/** A path in which each hole stays one part, whatever a visitor wrote into it; one that would climb is no part of any. */
export function encodePath(texts: TemplateStringsArray, ...parts: (string | number | undefined)[]): string {
  if (parts.some((part) => part === '.' || part === '..')) throw new Response('Not Found', { status: 404 })
  return String.raw({ raw: texts }, ...parts.map((part) => encodeURIComponent(part ?? '')))
}
