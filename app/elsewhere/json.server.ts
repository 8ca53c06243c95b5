/** JSON with integers longer than JavaScript numbers: a rounded id would be somebody else's. */

const { parse, rawJSON } = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, from: { source?: string }) => unknown): unknown
  rawJSON(text: string): unknown
}

export const readJson = (text: string): unknown =>
  parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
      ? BigInt(source)
      : value,
  )

export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? rawJSON(String(part)) : part))
