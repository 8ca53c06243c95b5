/** Asks before a changed form is left: only with JavaScript, and never while it is being sent. */
import { unstable_usePrompt, useBeforeUnload, useNavigation } from '@remix-run/react'
import { useCallback, useEffect, useRef } from 'react'
import { noteSent } from './last-sent.ts'

const QUESTION = 'Leave this page? What you typed here is not saved yet.'
const OFFLINE = 'There is no connection. What you typed is still here.'
/** The time between a submit and its page, if the browser sends the form itself. */
const SENDING_MS = 2000

export function UnsavedForms() {
  const { state } = useNavigation()
  const changed = useRef(new Set<HTMLFormElement>())
  const sent = useRef<{ form: HTMLFormElement; at: number } | null>(null)

  // Watches every form of the page by its events, as inputs keep their own state.
  useEffect(() => {
    const watching = new AbortController()
    const { signal } = watching
    const change = (event: Event) => {
      const form = formOf(event.target)
      if (form) changed.current.add(form)
    }
    const send = (event: Event) => {
      const { target } = event
      if (!(target instanceof HTMLFormElement)) return
      if (!navigator.onLine) {
        event.preventDefault()
        return alert(OFFLINE)
      }
      sent.current = { form: target, at: Date.now() }
      noteSent(target)
    }
    document.addEventListener('input', change, { signal })
    document.addEventListener('change', change, { signal })
    document.addEventListener('submit', send, { signal, capture: true })
    return () => watching.abort()
  }, [])

  // A response without an error or question in the form means that it was saved.
  useEffect(() => {
    if (state !== 'idle' || !sent.current) return
    const { form } = sent.current
    if (!form.querySelector('[role="alert"], [aria-invalid="true"]')) changed.current.delete(form)
    sent.current = null
    noteSent()
  }, [state])

  const unsavedForms = useCallback(() => {
    const isUnderWay = sent.current && Date.now() - sent.current.at < SENDING_MS
    const underWay = isUnderWay ? sent.current?.form : null
    return [...changed.current].filter((form) => form.isConnected && form !== underWay)
  }, [])
  useBeforeUnload(
    useCallback(
      (event) => {
        if (unsavedForms().length > 0) event.preventDefault()
      },
      [unsavedForms],
    ),
  )
  unstable_usePrompt({
    message: QUESTION,
    when: ({ currentLocation, nextLocation }) =>
      unsavedForms().some(
        (form) => form.closest('dialog') || currentLocation.pathname !== nextLocation.pathname,
      ),
  })
  return null
}

/** The form that would save the input; selecting rows or searching is nothing to lose. */
function formOf(target: EventTarget | null): HTMLFormElement | null {
  if (!(target instanceof HTMLElement) || target.closest('table, [role="search"]')) return null
  const form = target.closest('form')
  return form?.method === 'post' ? form : null
}
