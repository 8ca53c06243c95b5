/** The choice of objectives for a lift or a question. */
import type { Objective } from '#app/domain/objectives/objective.ts'
import { ChoiceInput } from '#app/ui/form/choice-input.tsx'
import type { FieldProps } from '#app/ui/form/field.tsx'

type ObjectiveChoiceProps<Schema> = Pick<FieldProps<Schema>, 'field'> & { objectives: readonly Objective[] }

export function ObjectiveChoice<Schema>({ field, objectives }: ObjectiveChoiceProps<Schema>) {
  if (objectives.length === 0) return null
  return (
    <ChoiceInput
      field={field}
      label="Learning objectives"
      options={objectives.map(({ id, code, text }) => ({ value: String(id), label: `${code}: ${text}` }))}
      multiple
    />
  )
}
