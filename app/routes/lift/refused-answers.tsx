/** Refused answers: their errors, and typed words that no field shows. */
import { useEffect, useRef } from 'react'
import type { LiftPage, PagePrompt } from '#app/domain/lifts/page.ts'
import { Button } from '#app/ui/button.tsx'
import { type KeptWord, KeptWordsFields } from '#app/ui/form/kept-words.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { promptOf, type TypedAnswers } from './answer-names.ts'

/** The questions of refused answers: the URL of a POST does not tell which one is being changed. */
export const refusedIn = (typed: TypedAnswers, errors: Record<string, string[]>): Set<number> =>
  new Set([
    ...Object.keys(typed).map(promptOf),
    ...Object.keys(errors).map((name) => Number(name.split('_')[1])),
  ])

/** All errors at the top, as the question may be far below; each field repeats its own. */
export function Wrong({ errors, open }: { errors: Record<string, string[]>; open: readonly PagePrompt[] }) {
  const box = useRef<HTMLDivElement>(null)
  // The page keeps its scroll position after a submit, so the focus leads to the errors.
  useEffect(() => {
    if (Object.keys(errors).length > 0) box.current?.focus()
  }, [errors])
  const wrong = open.filter((prompt) => errors[`prompt_${prompt.id}`])
  if (!errors.form && wrong.length === 0) return null
  return (
    <div className="lift-wrong" role="alert" tabIndex={-1} ref={box}>
      {errors.form ? <p>{errors.form.join(' ')}</p> : null}
      {wrong.length > 0 ? (
        <>
          <p>Nothing has been sent yet. Please check:</p>
          <ul dir="auto">
            {wrong.map(({ id, text }) => (
              <li key={id}>
                <a href={`#prompt-${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  )
}

type LeftProps = { words: KeptWord[]; lift: LiftPage; onDismiss: () => void }

/** Words without a field, because the lift closed or the question is gone. Other fields may still have input. */
export function Left({ words, lift, onDismiss }: LeftProps) {
  if (words.length === 0) return null
  return (
    <div className="lift-form" role="status">
      <p className="lift-callout">This was not sent. What you wrote is below, so that you can copy it.</p>
      <KeptWordsFields kept_words={words} />
      {lift.is_closed ? (
        <Form method="get" action={`/lift/${lift.id}`} onSubmit={onDismiss} preventScrollReset>
          <Button type="submit" variant="soft">
            Dismiss
          </Button>
        </Form>
      ) : null}
    </div>
  )
}
