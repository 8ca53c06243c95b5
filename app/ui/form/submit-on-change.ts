/** A form of choices that is submitted when one changes; without JavaScript by its button. */
import { useSubmit } from '@remix-run/react'
import type { FormEvent } from 'react'

/** `dependents`: fields that are reset when another one changes. */
export function useSubmitOnChange(dependents: Readonly<Record<string, readonly string[]>> = {}) {
  const submit = useSubmit()
  return (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as unknown as { name: string }
    const data = new FormData(event.currentTarget)
    for (const dependent of dependents[name] ?? []) data.delete(dependent)
    // Empty choices are left out of the URL.
    for (const [key, value] of [...data]) if (value === '') data.delete(key)
    submit(data, { method: 'get', preventScrollReset: true })
  }
}
