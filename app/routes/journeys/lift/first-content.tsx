/** The first text and question of a new lift. */
import type { useForm } from '@conform-to/react'
import type { z } from 'zod'
import type { LiftForm } from '#app/domain/lifts/lift-form.ts'
import { FormSection } from '#app/ui/form/form.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'
import { BlockAdditions, PromptAdditions } from './open-part.tsx'
import { OptionRows } from './option-rows.tsx'

type Fields = ReturnType<typeof useForm<z.input<typeof LiftForm>>>[1]

/** A new lift begins with a text and a question; more of both is added once it is saved. */
export function FirstContent({ fields }: { fields: Fields }) {
  return (
    <>
      <FormSection
        title="Page"
        help="What the link in the message leads to. Markdown: **bold**, lists, links. Adding anything else saves the lift."
      >
        <TextArea field={fields.body} label="Text" rows={8} />
        <BlockAdditions />
      </FormSection>
      <FormSection
        title="Question"
        help="One question, one answer. Feedback is shown at once. Leave it blank for another kind, or for none. Adding another question saves the lift."
      >
        <TextInput field={fields.question} label="Question" />
        <OptionRows
          rows={fields.options.getFieldList()}
          correct={fields.correct}
          errors={fields.options.errors}
        />
        <PromptAdditions />
      </FormSection>
    </>
  )
}
