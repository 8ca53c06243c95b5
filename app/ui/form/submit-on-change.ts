/** A form of choices sends itself when one of them changes; without JavaScript its button does. */
import { useSubmit } from '@remix-run/react'
import type { FormEvent } from 'react'

/** `dependents`: names whose values mean nothing once another one was changed. */
export function useSubmitOnChange(dependents: Readonly<Record<string, readonly string[]>> = {}) {
  const submit = useSubmit()
  return (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as unknown as { name: string }
    const data = new FormData(event.currentTarget)
    for (const dependent of dependents[name] ?? []) data.delete(dependent)
    // What is not chosen stands in no address.
    for (const [key, value] of [...data]) if (value === '') data.delete(key)
    submit(data, { method: 'get', preventScrollReset: true })
  }
}
