/** Messages above the form of an authenticator screen. */
import type { FormMetadata } from '@conform-to/react'
import { Callout } from '@radix-ui/themes'
import { useLocation } from '@remix-run/react'
import { useState } from 'react'
import { inPlainWords } from '#app/domain/authenticator/plain-sentences.ts'
import type { State } from '#app/domain/authenticator/state.ts'
import { Icon } from '#app/ui/icons.tsx'
import { Link } from '#app/ui/link.tsx'
import type { ScreenProps } from './authenticator-parts.tsx'

type Fields = Record<string, unknown>

/** The link back to the screen of a pending code. */
export function PendingCode({ pending_code }: State) {
  if (!pending_code) return null
  const { route, delivery } = pending_code
  return (
    <Callout.Root color="iris">
      <Callout.Icon>
        <Icon name="info" />
      </Callout.Icon>
      <Callout.Text>
        {delivery?.destination ? `We sent a code to ${delivery.destination}.` : 'We sent you a code.'}{' '}
        <Link to={`/login/${route}`}>Enter the code</Link>
      </Callout.Text>
    </Callout.Root>
  )
}

type RefusalProps<Schema extends Fields> = Pick<ScreenProps, 'lastResult'> & { form: FormMetadata<Schema> }

/**
 * The provider's refusal. It stays until the form is sent again, whatever is typed, so that nothing moves while
 * somebody taps. A reload removes it.
 */
export function Refusal<Schema extends Fields>({ form, lastResult }: RefusalProps<Schema>) {
  const { pathname } = useLocation()
  const [isPast, setPast] = useState(false)
  const errors = lastResult?.error?.[''] ?? []
  // Submitted again, but stopped by the validation in the browser.
  if (!isPast && form.status === 'error' && !form.errors) setPast(true)
  if (isPast || errors.length === 0) return null
  return (
    <Callout.Root color="red" role="alert" id={form.errorId} tabIndex={-1}>
      <Callout.Icon>
        <Icon name="error" />
      </Callout.Icon>
      <Callout.Text>
        {errors.join(' ')}
        {errors.map((error) => (
          <Plainly key={error} words={error} />
        ))}{' '}
        <Link to={pathname}>Dismiss</Link>
      </Callout.Text>
    </Callout.Root>
  )
}

/** Explains the provider's own message. */
function Plainly({ words }: { words: string }) {
  const plain = inPlainWords(words)
  return plain ? (
    <>
      <br />
      {plain}
    </>
  ) : null
}
