/** The last section of a page: a link in red for deleting its subject, with a confirmation. */
import { useSearchParams } from '@remix-run/react'
import { ButtonLink } from './button.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { FormSection } from './form/form.tsx'
import { changeSearch } from './list/search.ts'

type DeleteSectionProps = {
  /** "tenant" */
  what: string
  name: string
  /** The page itself, for cancelling. */
  here: string
  help: string
  /** The consequences. */
  message: string
}

/** The texts in front of another server, which may or may not keep deleted things. */
export const DELETING_ELSEWHERE = {
  help: 'This cannot be undone here.',
  message: 'It is deleted at once. This cannot be undone here.',
}

const asksToDelete = (search: URLSearchParams): boolean => search.get('delete') === 'true'

/** The title of the page, or of the question on it. */
export const deleteTitle = (name: string, { search }: { search: string }): string =>
  `${asksToDelete(new URLSearchParams(search)) ? questionOf(name) : name} · Liftwell`

const questionOf = (name: string) => `Delete ${name}?`

export function DeleteSection({ what, name, here, help, message }: DeleteSectionProps) {
  const [search] = useSearchParams()
  return (
    <>
      <FormSection title="Delete" help={help}>
        <div>
          <ButtonLink
            to={changeSearch(search, { delete: 'true' })}
            variant="outline"
            color="red"
            preventScrollReset
          >
            Delete {what}
          </ButtonLink>
        </div>
      </FormSection>
      {asksToDelete(search) ? (
        <ConfirmDialog
          title={questionOf(name)}
          message={message}
          continueText="Yes, delete"
          cancelHref={here}
          variant="error"
          fields={{ intent: 'delete' }}
        />
      ) : null}
    </>
  )
}
