/** Keeps drafts of answers until they are saved: a dropped connection or a closed page loses nothing. */
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { LiftPage } from '#app/domain/lifts/page.ts'
import { type Draft, forgetDrafts, readDraft, writeDraft } from '#app/ui/form/drafts.ts'
import type { KeptWord } from '#app/ui/form/kept-words.tsx'
import { promptOf, type TypedAnswers, typedAnswers, wordsOf } from './answer-names.ts'

/** `isRefused`: the page already shows the submitted input. Without a reader nothing is kept. */
export function useDraft(lift: LiftPage, reader: number | undefined, isRefused: boolean) {
  const form = useRef<HTMLFormElement>(null)
  const [isBack, setIsBack] = useState(false)
  const [left, setLeft] = useState<KeptWord[]>([])

  useEffect(() => {
    if (reader === undefined) return
    forgetDrafts(reader)
    const kept = notTaken(readDraft(reader, lift.id), lift)
    setIsBack(form.current !== null && !isRefused && fill(form.current, kept))
    // Setting fields triggers input events one by one, so the whole draft is written again.
    writeDraft(reader, lift.id, kept)
    setLeft(lift.is_closed ? wordsOf(fieldsOf(kept)) : [])
  }, [lift, reader, isRefused])

  function keep({ currentTarget }: FormEvent<HTMLFormElement>) {
    if (reader === undefined) return
    const draft = readDraft(reader, lift.id)
    const typed = Object.entries(typedAnswers(new FormData(currentTarget)))
    for (const { id, answer } of lift.prompts) {
      const fields = Object.fromEntries(typed.filter(([name]) => promptOf(name) === id))
      if (Object.keys(fields).length > 0) draft[id] = { seen: answer?.submitted_at ?? '', fields }
    }
    writeDraft(reader, lift.id, draft)
  }

  function forget() {
    if (reader !== undefined) writeDraft(reader, lift.id, {})
  }

  return { form, keep, forget, isBack, left }
}

/** The part of the draft that has not been saved: a question with another answer by now took this draft, or a later one. */
const notTaken = (draft: Draft, { prompts }: LiftPage): Draft =>
  Object.fromEntries(
    Object.entries(draft).filter(([id, { seen }]) =>
      prompts.some((prompt) => String(prompt.id) === id && (prompt.answer?.submitted_at ?? '') === seen),
    ),
  )

const fieldsOf = (draft: Draft): TypedAnswers =>
  Object.assign({}, ...Object.values(draft).map(({ fields }) => fields))

/** Restores the draft; returns whether anything was restored. */
function fill(form: HTMLFormElement, draft: Draft): boolean {
  const kept = fieldsOf(draft)
  let isBack = false
  for (const field of form.elements) {
    if (!isField(field)) continue
    const values = kept[field.name]
    if (!values) continue
    if (field instanceof HTMLInputElement && /^(radio|checkbox)$/.test(field.type)) {
      const checked = values.includes(field.value)
      isBack ||= checked !== field.checked
      field.checked = checked
    } else {
      isBack ||= field.value !== (values[0] ?? '')
      field.value = values[0] ?? ''
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
  }
  return isBack
}

const isField = (one: Element): one is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
  one instanceof HTMLInputElement || one instanceof HTMLTextAreaElement || one instanceof HTMLSelectElement
