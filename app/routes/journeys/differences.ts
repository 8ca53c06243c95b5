/** Compares what somebody else saved with the input, field by field, where they differ. */
type Typed = { value?: unknown; initialValue?: unknown }

export function differencesOf(
  names: Readonly<Record<string, string>>,
  saved: Readonly<Record<string, unknown>>,
  typed: Readonly<Record<string, Typed>>,
): { label: string; saved: string; typed: string }[] {
  return Object.entries(names)
    .map(([name, label]) => ({
      label,
      saved: inWords(saved[name]),
      typed: inWords(typed[name]?.value ?? typed[name]?.initialValue),
    }))
    .filter((one) => one.saved !== one.typed)
}

/** A ticked checkbox is `on` in a form and true in the stored value. */
function inWords(value: unknown): string {
  if (value === true || value === 'on') return 'yes'
  if (value === false || value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(inWords).filter(Boolean).join(', ')
  if (typeof value === 'object') return answerInWords(value)
  return String(value).replace(/\r\n?/g, '\n').trim()
}

/** Stored and submitted options have their fields in different orders. */
function answerInWords({
  text,
  correct,
  feedback,
}: {
  text?: unknown
  correct?: unknown
  feedback?: unknown
}) {
  const isRight = inWords(correct) === 'yes'
  return [inWords(text), isRight && '(right)', inWords(feedback)].filter(Boolean).join(' ')
}
