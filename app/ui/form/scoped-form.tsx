/** The form of every screen: one that changes something says for which tenant and sub-tenant it was drawn, and is refused in any other. */
import { type FormProps, Form as RemixForm, useLocation } from '@remix-run/react'
import { createContext, forwardRef, type ReactNode, useContext } from 'react'
import type { CurrentUser } from '#app/domain/users/current-user.ts'
import { formScopeOf, markOf } from '#app/domain/users/form-scope.ts'

/** The guard looks for it in every form that is sent. */
export const SCOPE = '__place__'

/** By it the API knows a form that is sent a second time. */
export const FORM_KEY = '__key__'

const Mark = createContext<string | null>(null)
const Key = createContext<string | null>(null)

/** Around all that is drawn for somebody who is signed in. */
type DrawnProps = { mark: string; formKey?: string; children: ReactNode }

export function Drawn({ mark, formKey, children }: DrawnProps) {
  return (
    <Mark.Provider value={mark}>
      <Key.Provider value={formKey ?? null}>{children}</Key.Provider>
    </Mark.Provider>
  )
}

export const markFor = (user: CurrentUser): string => markOf(formScopeOf(user))

/** For what a script sends by itself. */
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

/** For a button that posts what a searching form holds: such a form carries nothing into its own address. */
export function useScopedAction(): string {
  const mark = useMark()
  const { pathname, search } = useLocation()
  const params = new URLSearchParams(search)
  if (mark) params.set(SCOPE, mark)
  return `${pathname}?${params}`
}
