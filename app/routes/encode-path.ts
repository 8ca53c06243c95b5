/** Encodes the values in a path, so that none can add a segment; `.` and `..` would climb, and are a 404. */
export function encodePath(texts: TemplateStringsArray, ...parts: (string | number | undefined)[]): string {
  if (parts.some((part) => part === '.' || part === '..')) throw new Response('Not Found', { status: 404 })
  return String.raw({ raw: texts }, ...parts.map((part) => encodeURIComponent(part ?? '')))
}
