/** Decisions about several messages at once. Asking is a GET, so the question is a page of its own. */

import { useLocation, useSearchParams } from '@remix-run/react'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Selection } from '#app/ui/list/selection.tsx'
import { BULK_LABELS, count } from './words.ts'

export const DECISIONS_FORM = 'decisions'

const OF_QUESTION = ['ask', 'message_ids', 'all']

/** The checkboxes of the list belong to this form. */
export function DecisionBar({ total, shown, all }: { total: number; shown: number; all: boolean }) {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const kept = [...search].filter(([name]) => !OF_QUESTION.includes(name))
  return (
    <Form method="get" id={DECISIONS_FORM} className="bulk-bar" preventScrollReset>
      {kept.map(([name, value]) => (
        <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
      ))}
      <Selection key={key} form={DECISIONS_FORM} name="message_ids" />
      {total > shown ? (
        <label className="choice">
          <input className="choice-box" type="checkbox" name="all" value="true" defaultChecked={all} />
          <span className="choice-label">All {count(total)}, on every page</span>
        </label>
      ) : null}
      {(['arrived', 'send_again', 'not_arrived'] as const).map((decision) => (
        <Button key={decision} type="submit" name="ask" value={decision} variant="soft" color="gray">
          {BULK_LABELS[decision]}
        </Button>
      ))}
    </Form>
  )
}
