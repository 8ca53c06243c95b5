/** The learning objectives of a journey: what its questions measure. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Link } from '@remix-run/react'
import { formOfObjective, Objective, ObjectiveForm } from '#app/domain/objectives/objective.ts'
import { constraintOf } from '#app/ui/constraint.ts'
import { ConfirmDialog, Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SubmitButton, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { SeenVersion } from '#app/ui/seen-version.tsx'
import { differencesOf } from './differences.ts'

type ObjectivesProps = {
  objectives: readonly Objective[]
  /** The one that is edited. */
  edited: number | undefined
  /** The one that is about to go. */
  removed: number | undefined
  mayEdit: boolean
  closeHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function ObjectivesDialog(props: ObjectivesProps) {
  const { objectives, edited, removed, mayEdit, closeHref, lastResult, current } = props
  const link = useSearchLink()
  const objective = objectives.find((one) => one.id === edited)
  const leaving = objectives.find((one) => one.id === removed)
  if (leaving) return <ConfirmRemoval objective={leaving} cancelHref={link({ remove_objective: null })} />
  return (
    <Modal title="Learning objectives" closeHref={closeHref} size="large">
      <div className="stack">
        {objectives.length === 0 ? (
          <p>What should people be able to do afterwards? Lifts and questions are tagged with it.</p>
        ) : (
          <ul className="people">
            {objectives.map(({ id, code, text, target_level, uses }) => (
              <li key={id}>
                <span>
                  <strong>{code}</strong> {text}{' '}
                  <span className="people-mail">
                    {target_level === null ? '' : `target ${Math.round(target_level * 100)} %, `}
                    {uses === 1 ? '1 use' : `${uses} uses`}
                  </span>
                </span>
                {mayEdit ? (
                  <span className="row-actions">
                    <Link to={link({ objective: String(id) })} preventScrollReset>
                      Edit<span className="hidden-words"> {code}</span>
                    </Link>
                    <Link
                      className="dangerous"
                      to={link({ remove_objective: String(id), objective: null })}
                      preventScrollReset
                    >
                      {uses > 0 ? 'Retire' : 'Delete'}
                      <span className="hidden-words"> {code}</span>
                    </Link>
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        )}
        {mayEdit ? (
          <ObjectiveFields key={objective?.id ?? 'new'} {...{ objective, lastResult, current }} />
        ) : null}
      </div>
    </Modal>
  )
}

function ConfirmRemoval({ objective, cancelHref }: { objective: Objective; cancelHref: string }) {
  const { id, code, text, uses, lock_version } = objective
  const words =
    uses > 0
      ? `It is used ${uses === 1 ? 'once' : `${uses} times`}. What was measured by it stays measured; nothing new can be tagged with it.`
      : 'Nothing uses it. It is gone for good.'
  return (
    <ConfirmDialog
      title={`${uses > 0 ? 'Retire' : 'Delete'} ${code}?`}
      subtitle={text}
      message={words}
      continueText={uses > 0 ? 'Yes, retire' : 'Yes, delete'}
      cancelHref={cancelHref}
      variant="error"
      fields={{ intent: 'remove-objective', id, lock_version }}
    />
  )
}

type ObjectiveFieldsProps = Pick<ObjectivesProps, 'lastResult' | 'current'> & {
  objective: Objective | undefined
}

function ObjectiveFields({ objective, lastResult, current }: ObjectiveFieldsProps) {
  const saved = Objective.safeParse(current).data
  const [form, fields] = useForm({
    id: 'objective',
    defaultValue: objective && formOfObjective(objective),
    lastResult,
    constraint: constraintOf(ObjectiveForm),
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseForm(formData, ObjectiveForm),
    shouldRevalidate: 'onInput',
  })
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
      <h3>{objective ? `Edit ${objective.code}` : 'Add an objective'}</h3>
      <FormErrors form={form} labels={LABELS} />
      {saved ? <SavedMeanwhile differences={differencesOf(LABELS, formOfObjective(saved), fields)} /> : null}
      {objective ? <SeenVersion field={fields.lock_version} saved={saved?.lock_version} /> : null}
      <TextInput field={fields.code} label="Code" help="Short, like LO1." />
      <TextInput field={fields.text} label="What people can do afterwards" />
      <TextInput field={fields.target_percent} label="Target in per cent" type="number" inputMode="numeric" />
      <div>
        <SubmitButton intent="save-objective">{objective ? 'Save objective' : 'Add objective'}</SubmitButton>
      </div>
    </Form>
  )
}

const LABELS = {
  code: 'Code',
  text: 'What people can do afterwards',
  target_percent: 'Target in per cent',
}
