import { useEffect, useRef } from 'react'

/** The box of the button that adds a row; the rows are before it. */
export function useRows(count: number) {
  const box = useRef<HTMLDivElement>(null)
  const before = useRef(count)
  // Otherwise the focus would stay below a new row, and be lost with one that is removed.
  useEffect(() => {
    const rows = box.current?.parentElement?.querySelectorAll(':scope > .form-row')
    const place = count > before.current ? rows?.[rows.length - 1] : count < before.current && box.current
    if (place) place.querySelector<HTMLElement>('input:not([type=hidden]), select, button')?.focus()
    before.current = count
  }, [count])
  return box
}
