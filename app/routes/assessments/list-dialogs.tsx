/** The dialogs over the assessments of a journey: one at a time, as the address says. */
import type { AssessmentsPage } from '#app/domain/assessments/form.ts'
import { ItemForm } from '#app/domain/assessments/item-form.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ConfirmDialog } from '#app/ui/dialog.tsx'
import { useRefused } from '#app/ui/form/refused.ts'
import { useSearchLink } from '#app/ui/list/search.ts'
import { AssessmentEditor } from './assessment-editor.tsx'
import { ItemEditor } from './item-editor.tsx'
import type { ListSearch } from './search.ts'

type ListDialogsProps = {
  assessments: AssessmentsPage['assessments']
  search: ListSearch
  objectives: readonly Objective[]
}

export function ListDialogs({ assessments, search, objectives }: ListDialogsProps) {
  const refused = useRefused()
  const link = useSearchLink()
  const closeHref = link({ create: null, edit: null, item: null, remove: null })
  const removed = assessments.find((one) => one.id === search.remove)
  if (removed) return <AskRemove assessment={removed} cancelHref={closeHref} />
  const edited = assessments.find((one) => one.id === search.edit)
  const item = edited?.items.find((one) => one.id === search.item)
  // What was typed is shown again even where the item, or the whole assessment, was removed meanwhile.
  const typed = ItemForm.shape.kind.safeParse(refused.lastResult?.initialValue?.kind).data
  const kind = item?.kind ?? typed ?? (typeof search.item === 'string' ? search.item : undefined)
  if ((edited || typed) && kind)
    return (
      <ItemEditor
        key={search.item ?? kind}
        assessment={edited}
        {...{ item, kind, objectives }}
        isNew={typeof search.item !== 'number'}
        backHref={link({ item: null })}
        {...refused}
      />
    )
  if (edited || search.create || refused.lastResult)
    return (
      <AssessmentEditor key={edited?.id ?? 'new'} assessment={edited} closeHref={closeHref} {...refused} />
    )
  return null
}

type Removed = AssessmentsPage['assessments'][number]

/** One that somebody answered is only closed. */
function AskRemove({ assessment, cancelHref }: { assessment: Removed; cancelHref: string }) {
  const { id, name, submitted, lock_version } = assessment
  const isKept = submitted > 0
  return (
    <ConfirmDialog
      title={isKept ? `Close ${name}?` : `Delete ${name}?`}
      message={
        isKept
          ? 'It no longer takes answers. What was submitted stays.'
          : 'Nobody has submitted anything; what somebody began goes with it.'
      }
      continueText={isKept ? 'Yes, close' : 'Yes, delete'}
      cancelHref={cancelHref}
      variant="error"
      fields={{ intent: 'remove-assessment', id, lock_version }}
    />
  )
}
