/** The actions for people ticked in the list. Asking is a GET, so the question is a page of its own. */

import { useLocation, useSearchParams } from '@remix-run/react'
import { isolated } from '#app/domain/text/isolated.ts'
import type { User } from '#app/domain/users/user.ts'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { changeSearch } from '#app/ui/list/search.ts'
import { Selection } from '#app/ui/list/selection.tsx'
import { BULK_ACTIONS, type BulkAction, questionOf } from './bulk.ts'

export const BULK_FORM = 'bulk'

/** The checkboxes of the list belong to this form. */
export function BulkBar() {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const kept = [...search].filter(([name]) => name !== 'user_ids' && name !== 'ask')
  return (
    <Form method="get" id={BULK_FORM} className="bulk-bar" preventScrollReset>
      {kept.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <Selection key={key} form={BULK_FORM} name="user_ids" />
      {Object.entries(BULK_ACTIONS).map(([action, { label }]) => (
        <Button
          key={action}
          type="submit"
          name="ask"
          value={action}
          variant="soft"
          color={action === 'deactivate' ? 'red' : 'gray'}
        >
          {label}
        </Button>
      ))}
    </Form>
  )
}

type QuestionProps = {
  ask: BulkAction
  selected: readonly number[]
  users: readonly Pick<User, 'id' | 'name'>[]
}

/** Cancelling returns to the list with the same people ticked. */
export function BulkQuestion({ ask, selected, users }: QuestionProps) {
  const [search] = useSearchParams()
  const { message, variant, label } = BULK_ACTIONS[ask]
  const names = users.filter(({ id }) => selected.includes(id)).map(({ name }) => name)
  return (
    <ConfirmDialog
      title={questionOf(ask, selected)}
      subtitle={listed(names, selected.length)}
      message={message}
      continueText={`Yes, ${label.toLowerCase()}`}
      cancelHref={`/users${changeSearch(search, { ask: null })}`}
      variant={variant}
      fields={{ intent: ask, user_ids: selected }}
    />
  )
}

const MAX_NAMES = 5

function listed(names: readonly string[], count: number): string {
  const shown = names.slice(0, MAX_NAMES).map(isolated)
  const more = count - shown.length
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ')
}
