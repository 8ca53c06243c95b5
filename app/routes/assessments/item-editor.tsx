/** The editor of an item: its words, its steps or options, its weight. */
import { getFormProps } from '@conform-to/react'
import { useParams } from '@remix-run/react'
import { Assessment, type AssessmentItem } from '#app/domain/assessments/assessment.ts'
import { formOfItem, ItemForm } from '#app/domain/assessments/item-form.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'
import { editorOf, listOf } from './address.ts'

type ItemEditorProps = {
  /** Null if it was deleted during editing. */
  assessment: Assessment | null
  item: AssessmentItem | null
  isNew: boolean
  kind: AssessmentItem['kind']
  objectives: readonly Objective[]
}

const LABELS = {
  ...{ text: 'Item', anchors: 'Steps', options: 'Answers', weight: 'Weight' },
  pair_key: 'Comparison key',
}

export function ItemEditor({ assessment, item, isNew, kind, objectives }: ItemEditorProps) {
  const params = useParams()
  const { form, fields, stored, typed } = useSchemaForm(ItemForm, {
    id: 'item',
    defaultValue: formOfItem(assessment?.lock_version ?? 0, kind, item),
  })
  const saved = Assessment.safeParse(stored).data
  const savedItem = saved?.items.find((one) => one.id === item?.id)
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
      <FormErrors form={form} labels={LABELS} />
      {saved ? <ItemMeanwhile saved={saved} item={savedItem} isNew={isNew} typed={typed} /> : null}
      <input type="hidden" name="kind" value={kind} />
      <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
      <TextInput
        field={fields.text}
        label="Item"
        maxLength={300}
        required
        help="Word it so that both the learner and others can answer it."
      />
      <KindFields kind={kind} fields={fields} />
      {objectives.length > 0 ? (
        <SelectInput
          field={fields.objective_id}
          label="Learning objective"
          placeholder="None"
          options={objectives.map(({ id, code, text }) => ({ value: String(id), label: `${code}: ${text}` }))}
        />
      ) : null}
      <TextInput
        field={fields.pair_key}
        label="Comparison key"
        maxLength={40}
        help="Items with the same key are compared. Leave blank to compare items with the same wording."
      />
      <div className="form-actions">
        <ButtonLink
          to={assessment ? editorOf(params, assessment.id) : listOf(params)}
          variant="soft"
          color="gray"
        >
          {assessment ? 'Back to the assessment' : 'All assessments'}
        </ButtonLink>
        {assessment ? <SubmitButton>Save item</SubmitButton> : null}
      </div>
    </Form>
  )
}

type KindFieldsProps = {
  kind: AssessmentItem['kind']
  fields: ReturnType<typeof useSchemaForm<(typeof ItemForm)['shape']>>['fields']
}

function KindFields({ kind, fields }: KindFieldsProps) {
  if (kind === 'text') return null
  return (
    <>
      {kind === 'scale' ? (
        <TextArea
          field={fields.anchors}
          label="Steps"
          rows={6}
          help="A line for each step, from the lowest to the highest: 2 to 11. Steps can be blank."
        />
      ) : null}
      {kind === 'choice' ? (
        <TextArea
          field={fields.options}
          label="Answers"
          rows={6}
          help="A line for each answer. With points after a bar, like “Often | 3”, it counts in the score."
        />
      ) : null}
      <TextInput
        field={fields.weight}
        label="Weight"
        type="number"
        inputMode="decimal"
        help="Weight in the score (0 = not scored)."
      />
    </>
  )
}

type ItemMeanwhileProps = {
  saved: Assessment
  item: AssessmentItem | undefined
  isNew: boolean
  typed: Record<string, unknown>
}

function ItemMeanwhile({ saved, item, isNew, typed }: ItemMeanwhileProps) {
  if (item)
    return (
      <SavedMeanwhile differences={compare(LABELS, formOfItem(saved.lock_version, item.kind, item), typed)} />
    )
  const all = saved.items.map(({ text }) => text).join('\n')
  return (
    <>
      <SavedMeanwhile differences={[{ label: 'Items', saved: all, typed: String(typed.text ?? '') }]} />
      {isNew ? null : <p>Someone removed it while you were editing. Saving again adds yours at the end.</p>}
    </>
  )
}
