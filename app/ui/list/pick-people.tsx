/** Checkboxes for selecting people in a search form: the selection is kept during other searches. */
import { type FormProps, useActionData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { fullName } from '#app/domain/text/full-name.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'

type Person = { id: number; first_name: string; last_name: string; email: string }
type PickPeopleProps = {
  legend: string
  chosen: readonly Person[]
  others: readonly Person[]
  search: ReactNode
  form?: FormProps
  /** The id of the box around them, for links from errors. */
  boxId?: string
  /** The button that posts the selection, and further fields. */
  children: ReactNode
}

/** Why nobody was added, and the kept selection. */
export type NotAdded = {
  problem: string
  selected: readonly number[]
  initialValue: Record<string, string>
}

/** The maximum selection that is kept during a search. */
const MAX_KEPT = 100

export function PickPeople({ legend, chosen, others, search, form, boxId, children }: PickPeopleProps) {
  const { problem, selected = chosen.map(({ id }) => id) } = useActionData<Partial<NotAdded>>() ?? {}
  const isSelected = new Set(selected)
  return (
    <>
      {problem ? (
        <p className="field-errors" role="alert">
          {problem}
        </p>
      ) : null}
      <Form method="get" preventScrollReset className="stack" {...form}>
        {search}
        {chosen.length >= MAX_KEPT ? (
          <p role="status">A search keeps {MAX_KEPT} people selected. Add these first, then select others.</p>
        ) : null}
        <fieldset className="field choices scroll-box" id={boxId} tabIndex={-1}>
          <legend className="hidden-words">{legend}</legend>
          {others.length === 0 ? <p className="people-mail">Nobody else matches.</p> : null}
          {[...chosen, ...others].map((user) => (
            <label key={user.id} className="choice">
              <input
                className="choice-box"
                type="checkbox"
                name="user_ids"
                value={user.id}
                defaultChecked={isSelected.has(user.id)}
              />
              <span className="choice-label">
                {fullName(user)} <span className="people-mail">{user.email}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {children}
      </Form>
    </>
  )
}
