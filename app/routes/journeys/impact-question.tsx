/** Asks for confirmation before an edit of a launched journey is saved; the form around it keeps its input. */

import { useActionData } from '@remix-run/react'
import { type ReactNode, useEffect, useRef } from 'react'
import { type Impact, keyOf } from '#app/domain/planning/preview/preview.ts'
import { figures } from '#app/domain/text/figures.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'

/** `again`: the posted fields of a form without input, posted again with the confirmation. */
type Asked = { impact?: Impact | null; again?: Record<string, string> }

export function useAsked(): Asked {
  return (useActionData() as Asked | undefined) ?? {}
}

/** Placed in a form, above its fields. */
export function ImpactQuestion({ intent }: { intent?: string }) {
  const { impact, again } = useAsked()
  return impact && !again ? (
    <Question key={keyOf(impact)} impact={impact} {...(intent ? { intent } : {})} />
  ) : null
}

function Question({ impact, intent }: { impact: Impact; intent?: string }) {
  const place = useRef<HTMLElement>(null)
  // It appears above the current field, so the focus moves there.
  useEffect(() => place.current?.focus(), [])
  return (
    <section ref={place} className="impact" role="alert" tabIndex={-1}>
      <h2>This journey is running. Save the change?</h2>
      <ImpactNumbers impact={impact} />
      <p>Nothing is saved yet. You can still change it below.</p>
      <input type="hidden" name="confirmed" value={keyOf(impact)} />
      <div>
        <SubmitButton {...(intent ? { intent } : {})}>Yes, save</SubmitButton>
      </div>
    </section>
  )
}

export function ConfirmChange({ title, cancelHref }: { title: string; cancelHref: string }) {
  const { impact, again } = useAsked()
  if (!again) return null
  const removes = again.way === 'remove'
  return (
    <ConfirmDialog
      title={title}
      subtitle={impact ? 'This journey is running.' : undefined}
      message={
        <>
          {impact ? <ImpactNumbers impact={impact} /> : null}
          {removes ? <p>What was written there is deleted. This cannot be undone.</p> : null}
        </>
      }
      continueText={removes ? 'Yes, remove' : 'Yes, change it'}
      cancelHref={cancelHref}
      variant={removes ? 'error' : 'warning'}
      fields={{ ...again, confirmed: impact ? keyOf(impact) : 'true' }}
    />
  )
}

export function ImpactNumbers({ impact }: { impact: Impact }) {
  const { moved, kept, updated, cancelled, added, is_estimate = false } = impact
  return (
    <ul className="impact-numbers">
      {is_estimate ? <li>With this many participants, these numbers are estimates.</li> : null}
      <Line about={is_estimate} count={moved}>
        {moved === 1 ? 'message moves' : 'messages move'} to another time
      </Line>
      <Line about={is_estimate} count={kept}>
        {kept === 1 ? 'stays' : 'stay'} when {kept === 1 ? 'it is' : 'they are'}
        {updated > 0
          ? `; ${is_estimate ? 'about ' : ''}${figures(updated)} of them ${updated === 1 ? 'has' : 'have'} not been sent yet and will go out as changed`
          : ''}
      </Line>
      <Line about={is_estimate} count={cancelled}>
        {cancelled === 1 ? 'is' : 'are'} canceled
      </Line>
      {added > 0 ? (
        <Line about={is_estimate} count={added}>
          {added === 1 ? 'is' : 'are'} added to the plan
        </Line>
      ) : null}
    </ul>
  )
}

const Line = ({ count, about, children }: { count: number; about: boolean; children: ReactNode }) => (
  <li>
    {about ? 'about ' : ''}
    <strong>{figures(count)}</strong> {children}
  </li>
)
