/** The dialogs of authoring that stand over the schedule: objectives, one block, one question. */
import type { SubmissionResult } from '@conform-to/react'
import type { BlockKind } from '#app/domain/lifts/block-form.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { PromptKind } from '#app/domain/lifts/prompt.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { BlockEditor } from './block-editor.tsx'
import { ObjectivesDialog } from './objectives.tsx'
import { PromptEditor } from './prompt-editor.tsx'

type Subject = {
  objectives: boolean
  objective?: number | undefined
  remove_objective?: number | undefined
  block?: number | BlockKind | undefined
  prompt?: number | PromptKind | undefined
}

export const isAuthoring = ({ objectives, block, prompt }: Subject): boolean =>
  objectives || block !== undefined || prompt !== undefined

type AuthoringDialogProps = {
  subject: Subject
  objectives: readonly Objective[]
  lift: Lift | undefined
  mayEdit: boolean
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function AuthoringDialog({
  subject,
  objectives,
  lift,
  mayEdit,
  closeHref,
  lastResult,
  current,
}: AuthoringDialogProps) {
  if (subject.objectives)
    return (
      <ObjectivesDialog
        objectives={objectives}
        edited={subject.objective}
        removed={mayEdit ? subject.remove_objective : undefined}
        mayEdit={mayEdit}
        closeHref={closeHref}
        lastResult={lastResult}
        current={current}
      />
    )
  // What was typed is shown again even where it can no longer be saved.
  if (!mayEdit && !lastResult) return null
  const backHref = lift ? `${closeHref}?lift=${lift.id}` : closeHref
  if (!lastResult && !isThere(subject, lift))
    return (
      <Modal
        title={lift ? 'This is not there any more' : 'The lift is not there any more'}
        closeHref={backHref}
      >
        <p>Somebody removed it, or the link is an old one.</p>
        <div className="dialog-actions">
          <ButtonLink to={backHref}>{lift ? 'Back to the lift' : 'Back to the schedule'}</ButtonLink>
        </div>
      </Modal>
    )
  const shown = { lift, backHref, lastResult, current }
  if (subject.block !== undefined)
    return <BlockEditor key={`${subject.block} ${lift?.lock_version}`} {...shown} place={subject.block} />
  if (subject.prompt === undefined) return null
  return <PromptEditor key={subject.prompt} {...shown} which={subject.prompt} objectives={objectives} />
}

function isThere({ block, prompt }: Subject, lift: Lift | undefined): boolean {
  if (!lift) return false
  if (typeof block === 'number') return lift.blocks[block] !== undefined
  return typeof prompt !== 'number' || lift.prompts.some(({ id }) => id === prompt)
}
