/** The form of every screen: one that changes something says for which place it was drawn, and is refused in any other. */
import { type FormProps, Form as RemixForm, useLocation } from '@remix-run/react'
import { createContext, forwardRef, type ReactNode, useContext } from 'react'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { markOf, placeOf } from '#app/domain/users/place.ts'

/** The guard looks for it in every form that is sent. */
export const PLACE = '__place__'

const Mark = createContext<string | null>(null)

/** Around all that is drawn for somebody who is signed in. */
export function Drawn({ mark, children }: { mark: string; children: ReactNode }) {
  return <Mark.Provider value={mark}>{children}</Mark.Provider>
}

export const markFor = (user: CurrentUser): string => markOf(placeOf(user))

/** For what a script sends by itself. */
export const useMark = (): string | null => useContext(Mark)

export const Form = forwardRef<HTMLFormElement, FormProps>(function PlacedForm({ children, ...props }, ref) {
  const mark = useMark()
  return (
    <RemixForm {...props} ref={ref}>
      {children}
      {mark && props.method === 'post' ? <input type="hidden" name={PLACE} value={mark} /> : null}
    </RemixForm>
  )
})

/** For a button that posts what a searching form holds: such a form carries nothing into its own address. */
export function usePlacedAction(): string {
  const mark = useMark()
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  if (mark) params.set(PLACE, mark)
  return `${pathname}?${params}`
}
