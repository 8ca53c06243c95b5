/** Counts the ticked boxes of a list, and ticks the whole page. Without JavaScript each is ticked separately. */
import { useEffect, useState } from 'react'
import { useHydrated } from '#app/ui/hydrated.ts'

/** The boxes are called `name` and belong to the form whose id is `form`. */
type SelectionProps = { form: string; name: string }

export function Selection({ form, name }: SelectionProps) {
  const hydrated = useHydrated()
  const [count, setCount] = useState({ ticked: 0, all: 0 })

  // The checkboxes keep their own state in the table: ticking one re-renders nothing.
  useEffect(() => {
    const look = () => {
      const all = boxes(form, name)
      setCount({ ticked: all.filter((box) => box.checked).length, all: all.length })
    }
    look()
    document.addEventListener('change', look)
    return () => document.removeEventListener('change', look)
  }, [form, name])

  if (!hydrated) return <span>With those selected:</span>
  return (
    <label className="bulk-all" data-any={count.ticked > 0 ? '' : undefined}>
      <input
        type="checkbox"
        className="choice-box"
        checked={count.all > 0 && count.ticked === count.all}
        onChange={(event) => {
          for (const box of boxes(form, name)) box.checked = event.target.checked
        }}
      />
      <span aria-live="polite">{count.ticked === 0 ? 'Select all' : `${count.ticked} selected`}</span>
    </label>
  )
}

const boxes = (form: string, name: string): HTMLInputElement[] => [
  ...document.querySelectorAll<HTMLInputElement>(`input[name="${name}"][form="${form}"]`),
]
