/** Beside a label: whether the field is required, and how many characters are left. */
import { type FormEvent, type ReactNode, useCallback, useState } from 'react'
import { figures } from '#app/domain/text/figures.ts'
import { useHydrated } from '#app/ui/hydrated.ts'

export function RequiredMark() {
  return (
    <span className="required-mark" aria-hidden="true">
      {'\u00a0*'}
    </span>
  )
}

/** The maximum length; with JavaScript, the characters left. */
export function Counter({ max, value }: { max: number | undefined; value: unknown }): ReactNode {
  const hydrated = useHydrated()
  if (max === undefined) return null
  const left = max - (typeof value === 'string' ? value.length : 0)
  return (
    <span className="field-counter" data-low={hydrated && left <= 10 ? '' : undefined}>
      {hydrated ? `${figures(left)} left` : `up to ${figures(max)} characters`}
    </span>
  )
}

type Box = HTMLInputElement | HTMLTextAreaElement

/** State for an input outside the form library: its value, and the props for it. */
export function useTyped(initial = '') {
  const [typed, setTyped] = useState(initial)
  // The visitor may have typed before hydration.
  const ref = useCallback((box: Box | null) => {
    if (box) setTyped(box.value)
  }, [])
  const onInput = ({ currentTarget }: FormEvent<Box>) => setTyped(currentTarget.value)
  return { typed, box: { ref, onInput, defaultValue: initial } }
}
