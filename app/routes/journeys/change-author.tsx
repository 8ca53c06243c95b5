/** A journey is handed over: to whoever of the company may write journeys. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Journey } from '#app/domain/journeys/journey.ts'
import { AuthorForm } from '#app/domain/journeys/journey-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SelectInput, SubmitButton } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { SeenVersion } from '#app/ui/seen-version.tsx'
import { SearchPeople } from './search-people.tsx'

/** Those who match the words `q`; more than a list shows are found by others. */
export type Writers = { people: { id: number; name: string }[]; q: string; hasMore: boolean }

type ChangeAuthorProps = {
  journey: Journey
  writers: Writers
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function ChangeAuthor({ journey, writers, closeHref, lastResult, current }: ChangeAuthorProps) {
  const { q, hasMore } = writers
  const saved = Journey.safeParse(current).data
  const [form, fields] = useForm({
    id: 'author',
    defaultValue: { author_id: journey.author_id, lock_version: journey.lock_version },
    lastResult,
    defaultNoValidate: false,
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, AuthorForm),
  })
  const others = writers.people.filter(({ id }) => id !== journey.author_id)
  // Whoever writes it now stays the choice until another one is made.
  const people = [{ id: journey.author_id, name: journey.author.name }, ...others]
  const typed = people.find(({ id }) => String(id) === fields.author_id.value)?.name ?? ''
  return (
    <Modal title={`Author of ${journey.name}`} closeHref={closeHref}>
      <div className="stack">
        {hasMore || q ? <SearchPeople name="writer" label="Find an author" words={q} /> : null}
        {q && writers.people.length === 0 ? (
          <p className="people-mail" role="status">
            No author or administrator matches “{q}”.
          </p>
        ) : null}
        <Form method="post" {...getFormProps(form)} className="stack">
          <FormErrors form={form} />
          {saved ? (
            <SavedMeanwhile differences={[{ label: 'Author', saved: saved.author.name, typed }]} />
          ) : null}
          <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
          <SelectInput
            field={fields.author_id}
            label="Author"
            options={people.map(({ id, name }) => ({ value: String(id), label: name }))}
            help={
              hasMore
                ? 'These are the first of many: find others by name or e-mail. An author sees and edits only journeys of their own.'
                : 'An author sees and edits only journeys of their own.'
            }
            required
          />
          <div className="dialog-actions">
            <ButtonLink to={closeHref} variant="soft" color="gray">
              Cancel
            </ButtonLink>
            <SubmitButton intent="change-author">Save author</SubmitButton>
          </div>
        </Form>
      </div>
    </Modal>
  )
}
