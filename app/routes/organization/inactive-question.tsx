/** Asks before a tenant or sub-tenant is made inactive; the form around it keeps its input. */
import { useActionData } from '@remix-run/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'

type InactiveQuestionProps = {
  name: string
  /** The consequences. */
  children: ReactNode
}

/** Placed in a form, above its fields. */
export function InactiveQuestion(props: InactiveQuestionProps) {
  const { asks_inactive, had_file = false } =
    useActionData<{ asks_inactive?: true; had_file?: boolean }>() ?? {}
  return asks_inactive ? <Question {...props} hasLogo={had_file} /> : null
}

function Question({ name, children, hasLogo }: InactiveQuestionProps & { hasLogo: boolean }) {
  // A reload drops the chosen file; with JavaScript it is still there.
  const [isLoaded] = useState(!useHydrated())
  const place = useRef<HTMLElement>(null)
  // It appears above the current field, so the focus moves there.
  useEffect(() => place.current?.focus(), [])
  return (
    <section ref={place} className="impact" role="alert" tabIndex={-1}>
      <h2>Make {name} inactive?</h2>
      <p>{children}</p>
      <p>Nothing is saved yet. You can still change it below.</p>
      {hasLogo && isLoaded ? <p>Please choose the logo again: a browser does not keep files.</p> : null}
      <input type="hidden" name="confirmed" value="inactive" />
      <div>
        <SubmitButton>Yes, make it inactive</SubmitButton>
      </div>
    </section>
  )
}
