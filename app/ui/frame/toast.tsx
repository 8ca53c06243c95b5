/** The message after an action. Rendered by the server; with JavaScript it disappears after a while. */
import { useLocation } from '@remix-run/react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Icon } from '#app/ui/icons.tsx'
import type { ToastMessage } from './toast-message.ts'

const STAY_MS = 5000
const SWIPE_PX = 50
const HOTKEY = 'F8'

/** A toast stays for its time, even during navigation. */
export function Toaster({ toast }: { toast: ToastMessage | null }) {
  const [shown, setShown] = useState(toast)
  if (toast && toast.id !== shown?.id) setShown(toast)
  return (
    <div
      className="toaster"
      role="status"
      aria-live="polite"
      aria-label={`Notifications (${HOTKEY})`}
      id="toasts"
    >
      {shown ? <Toast key={shown.id} toast={shown} /> : null}
    </div>
  )
}

function Toast({ toast }: { toast: ToastMessage }) {
  const [open, setOpen] = useState(true)
  const [held, setHeld] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const before = useRef<HTMLElement | null>(null)
  const close = () => {
    before.current?.focus()
    setOpen(false)
  }
  const { lift, swiping } = useSwipe(close)

  useEffect(() => {
    if (held || !open) return
    const timer = setTimeout(() => setOpen(false), STAY_MS)
    return () => clearTimeout(timer)
  }, [held, open])

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== HOTKEY) return
      before.current = document.activeElement as HTMLElement
      box.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  if (!open) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pausing under the pointer is no action of its own
    <div
      ref={box}
      className="toast"
      data-variant={toast.variant}
      data-moving={lift ? '' : undefined}
      style={lift ? { transform: `translateY(${lift}px)` } : undefined}
      tabIndex={-1}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      onKeyDown={(event) => event.key === 'Escape' && close()}
      {...swiping}
    >
      <Icon name={toast.variant} />
      <div className="toast-words">
        <p className="toast-title">{toast.title}</p>
        {toast.message ? <p className="toast-message">{toast.message}</p> : null}
      </div>
      <Dismiss onClick={close} />
    </div>
  )
}

/** A swipe upwards closes it. */
function useSwipe(close: () => void) {
  const [lift, setLift] = useState(0)
  const start = useRef<number | null>(null)

  function letGo(y?: number) {
    const way = y === undefined || start.current === null ? lift : y - start.current
    if (start.current !== null && way <= -SWIPE_PX) close()
    start.current = null
    setLift(0)
  }

  const swiping = {
    onPointerDown(event: PointerEvent) {
      start.current = event.clientY
    },
    onPointerMove(event: PointerEvent) {
      if (start.current === null) return
      const way = Math.min(0, event.clientY - start.current)
      // Captures the pointer to follow it beyond the window's edge; without a move, the press stays a click on the
      // link.
      if (way < 0) event.currentTarget.setPointerCapture(event.pointerId)
      setLift(way)
    },
    onPointerUp: (event: PointerEvent) => letGo(event.clientY),
    onPointerCancel: () => letGo(),
  }
  return { lift, swiping }
}

/** Without JavaScript, reloads the page, for which the toast has been consumed. */
function Dismiss({ onClick }: { onClick: () => void }) {
  const { pathname, search } = useLocation()
  return (
    <a
      className="icon-button"
      href={`${pathname}${search}`}
      onClick={(event) => {
        event.preventDefault()
        onClick()
      }}
    >
      <Icon name="close" size={16} />
      <span className="hidden-words">Dismiss</span>
    </a>
  )
}
