/** Reordering with JavaScript: a grip to drag, or to move with the arrow keys. */
import { useNavigation, useSubmit } from '@remix-run/react'
import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import { useHydrated } from '#app/ui/hydrated.ts'

/** The fields of the form around the list, plus the move. */
function fieldsOf({ currentTarget }: SyntheticEvent, moved: Record<string, string>): FormData {
  const form = currentTarget.closest('form')
  const fields = new FormData(form ?? undefined)
  for (const [name, value] of Object.entries(moved)) fields.set(name, value)
  return fields
}
const OPTIONS = { method: 'post', preventScrollReset: true } as const
const liftAt = ({ target }: SyntheticEvent): string | null =>
  (target as Element).closest<HTMLElement>('[data-lift]')?.dataset.lift ?? null

/** The event handlers of a list of lifts. `order`: the current order; `over`: the lift at the drop position. */
export function useOrdering(order: string) {
  const submit = useSubmit()
  const [moved, setMoved] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const pressed = useRef<{ lift: string | null; control: string } | null>(null)
  // A moved lift is mounted again and loses the focus, which the next step needs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is a new order that takes the focus away
  useEffect(() => {
    const { lift, control } = pressed.current ?? {}
    const card = document.querySelector(`[data-lift="${lift}"]`)
    // The button is disabled at an end of the list.
    const button = card?.querySelector<HTMLElement>(`${control}:enabled`)
    ;(button ?? card?.querySelector<HTMLElement>('.grip'))?.focus()
    pressed.current = null
  }, [order])
  const end = () => {
    setMoved(null)
    setOver(null)
  }
  return {
    over,
    listeners: {
      onKeyDown: (event: KeyboardEvent) => {
        if ((event.target as Element).matches('.grip'))
          pressed.current = { lift: liftAt(event), control: '.grip' }
      },
      onClick: (event: MouseEvent) => {
        const button = (event.target as Element).closest<HTMLButtonElement>('button[name]')
        if (button) pressed.current = { lift: liftAt(event), control: `[name="${button.name}"]` }
      },
      onDragStart: (event: DragEvent) => {
        setMoved(liftAt(event))
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', liftAt(event) ?? '')
      },
      onDragOver: (event: DragEvent) => {
        if (!moved) return
        event.preventDefault()
        setOver(liftAt(event))
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        const to = liftAt(event)
        if (moved && to && to !== moved) submit(fieldsOf(event, { moved, to }), OPTIONS)
        end()
      },
      onDragEnd: end,
    },
  }
}

type GripProps = { lift: { id: number; title: string }; isFirst: boolean; isLast: boolean }

export function Grip({ lift, isFirst, isLast }: GripProps) {
  const submit = useSubmit()
  const isUnderWay = useNavigation().state !== 'idle'
  if (!useHydrated()) return null
  const step = (event: KeyboardEvent) => {
    const way =
      event.key === 'ArrowUp' && !isFirst ? 'up' : event.key === 'ArrowDown' && !isLast ? 'down' : null
    if (!way) return
    event.preventDefault()
    // Waits for the previous move, as the next one starts from its result.
    if (!isUnderWay) submit(fieldsOf(event, { [way]: String(lift.id) }), OPTIONS)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button of its own would not be dragged in every browser
    <span
      className="grip"
      role="button"
      tabIndex={0}
      draggable
      onKeyDown={step}
      title="Drag, or use the arrow keys"
    >
      <span aria-hidden="true">⠿</span>
      <span className="hidden-words">Move {lift.title} with the arrow keys</span>
    </span>
  )
}
