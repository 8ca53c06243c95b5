/** A reply typed into a phone; it is received like every text from a carrier. */
import { FieldErrors } from '#app/ui/form/field.tsx'
import { Counter, useTyped } from '#app/ui/form/field-head.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { useRefused } from '#app/ui/form/refused.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { PHONE_WORDS } from './phone-words.ts'

const MAX_LETTERS = 1600

export function Reply({ id, name, number }: { id: string; name: string; number: string }) {
  const { lastResult } = useRefused()
  const isMine = lastResult?.initialValue?.from === number
  const errors = isMine ? Object.values(lastResult.error ?? {}).flatMap((some) => some ?? []) : []
  const { typed, box } = useTyped(isMine ? String(lastResult.initialValue?.text ?? '') : '')
  const input = `${id}-text`
  return (
    <Form method="post" className="handset-reply" preventScrollReset>
      <input type="hidden" name="intent" value="text" />
      <input type="hidden" name="from" value={number} />
      <label className="hidden-words" htmlFor={input}>
        Text from {name}
      </label>
      <input
        {...box}
        id={input}
        className="input"
        name="text"
        required
        maxLength={MAX_LETTERS}
        autoComplete="off"
        placeholder="Reply"
        aria-invalid={errors.length > 0 || undefined}
        aria-describedby={errors.length > 0 ? `${input}-errors` : undefined}
      />
      <SubmitButton>
        Send<span className="hidden-words"> as {name}</span>
      </SubmitButton>
      <Counter max={MAX_LETTERS} value={typed} />
      <FieldErrors id={`${input}-errors`} errors={errors} />
      <p className="handset-words">
        {PHONE_WORDS.map((word) => (
          <SubmitButton key={word} name="word" intent={word} variant="ghost" formNoValidate>
            {word}
            <span className="hidden-words"> as {name}</span>
          </SubmitButton>
        ))}
      </p>
    </Form>
  )
}
