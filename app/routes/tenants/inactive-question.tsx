/** Asks before a tenant is made inactive; what was typed stays in the form around it. */
import { useActionData } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { SubmitButton } from '#app/ui/form/form.tsx'

/** Stands in a form, above its fields. */
export function InactiveQuestion({ name }: { name: string }) {
  const { asks_inactive } = useActionData<{ asks_inactive?: true }>() ?? {}
  return asks_inactive ? <Question name={name} /> : null
}

function Question({ name }: { name: string }) {
  const place = useRef<HTMLElement>(null)
  // It appears above what one was typing: eyes, keyboards and readers are led there.
  useEffect(() => place.current?.focus(), [])
  return (
    <section ref={place} className="impact" role="alert" tabIndex={-1}>
      <h2>Make {name} inactive?</h2>
      <p>
        Its people are logged out at once and cannot sign in, and nothing more is sent to its learners, until
        you set it to active again.
      </p>
      <p>Nothing is saved yet. You can still change it below.</p>
      <input type="hidden" name="confirmed" value="inactive" />
      <div>
        <SubmitButton>Yes, make it inactive</SubmitButton>
      </div>
    </section>
  )
}
