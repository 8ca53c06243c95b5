/** A path of the API in which whatever came from a visitor is encoded: the only kind that the client takes. */
declare const encoded: unique symbol
export type EncodedPath = string & { readonly [encoded]: true }

/** Each part stays one part, whatever stands in it; one that would climb is no part of any path. */
export function encodePath(texts: TemplateStringsArray, ...parts: (string | number | undefined)[]) {
  if (parts.some((part) => part === '.' || part === '..')) throw new Response('Not Found', { status: 404 })
  return String.raw({ raw: texts }, ...parts.map((part) => encodeURIComponent(part ?? ''))) as EncodedPath
}

/** A text without a hole: written down whole, so nothing foreign is in it. */
type IsWhole<Text extends string> = Text extends ''
  ? true
  : Text extends `${infer Letter}${infer Rest}`
    ? string extends Letter
      ? false
      : IsWhole<Rest>
    : false

/** A path that is encoded, or written down whole. */
export type ApiPath<Path extends string> = Path extends EncodedPath
  ? Path
  : IsWhole<Path> extends true
    ? Path
    : never
