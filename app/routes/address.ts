/** A path of the API with parts that came from a visitor: each stays one part, whatever stands in it. */
export function address(texts: TemplateStringsArray, ...parts: (string | number | undefined)[]): string {
  return String.raw({ raw: texts }, ...parts.map((part) => encodeURIComponent(part ?? '')))
}
