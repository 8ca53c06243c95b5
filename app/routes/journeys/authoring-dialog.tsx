/** The dialogs of authoring that stand over the schedule: objectives, one block, one question. */
import type { SubmissionResult } from '@conform-to/react'
import type { BlockKind } from '#app/domain/lifts/block-form.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import type { PromptKind } from '#app/domain/lifts/prompt.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { BlockEditor } from './block-editor.tsx'
import { ObjectivesDialog } from './objectives.tsx'
import { PromptEditor } from './prompt-editor.tsx'

type Subject = {
  objectives: boolean
  objective?: number | undefined
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
        mayEdit={mayEdit}
        closeHref={closeHref}
        lastResult={lastResult}
      />
    )
  if (!lift || !mayEdit) return null
  const backHref = `${closeHref}?lift=${lift.id}`
  if (subject.block !== undefined)
    return (
      <BlockEditor
        key={`${subject.block} ${lift.lock_version}`}
        lift={lift}
        place={subject.block}
        backHref={backHref}
        lastResult={lastResult}
        current={current}
      />
    )
  if (subject.prompt === undefined) return null
  return (
    <PromptEditor
      key={subject.prompt}
      lift={lift}
      which={subject.prompt}
      objectives={objectives}
      backHref={backHref}
      lastResult={lastResult}
      current={current}
    />
  )
}
