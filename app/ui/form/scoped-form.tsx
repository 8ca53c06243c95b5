/**
 * The form of every screen: one that changes something names the tenant and sub-tenant that it was rendered for, and
 * is refused in any other.
 */
import { type FormProps, Form as RemixForm, useLocation } from '@remix-run/react'
import { createContext, forwardRef, type ReactNode, useContext } from 'react'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { formScopeOf, markOf } from '#app/domain/users/form-scope.ts'

/** Checked by the guard in every submitted form. */
export const SCOPE = '__place__'

/** The idempotency key by which the API recognizes a repeated submit. */
export const FORM_KEY = '__key__'

const Mark = createContext<string | null>(null)
const Key = createContext<string | null>(null)

/** Provides the mark and key to everything rendered for a signed-in person. */
type DrawnProps = { mark: string; formKey?: string; children: ReactNode }

export function Drawn({ mark, formKey, children }: DrawnProps) {
  return (
    <Mark.Provider value={mark}>
      <Key.Provider value={formKey ?? null}>{children}</Key.Provider>
    </Mark.Provider>
  )
}

export const markFor = (user: CurrentUser): string => markOf(formScopeOf(user))

/** For requests of scripts without a form. */
export const useMark = (): string | null => useContext(Mark)

export const Form = forwardRef<HTMLFormElement, FormProps>(function ScopedForm({ children, ...props }, ref) {
  const mark = useMark()
  const key = useContext(Key)
  return (
    <RemixForm {...props} ref={ref}>
      {children}
      {mark && props.method === 'post' ? <input type="hidden" name={SCOPE} value={mark} /> : null}
      {key && props.method === 'post' ? <input type="hidden" name={FORM_KEY} value={key} /> : null}
    </RemixForm>
  )
})

/** For a button that posts the fields of a GET form, which itself must not have the mark in its URL. */
export function useScopedAction(): string {
  const mark = useMark()
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  if (mark) params.set(SCOPE, mark)
  return `${pathname}?${params}`
}
