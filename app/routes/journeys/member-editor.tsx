/** One participant: their role, their sponsor, whether they count; and how they leave. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { Button } from '@radix-ui/themes'
import { Form } from '@remix-run/react'
import { MEMBER_ROLES, type Member } from '#app/domain/members/member.ts'
import { MemberForm } from '#app/domain/members/member-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { CheckboxInput, FormErrors, SelectInput, SubmitButton, TextInput } from '#app/ui/form.tsx'

type MemberEditorProps = {
  member: Member
  members: readonly Member[]
  backHref: string
  lastResult: SubmissionResult<string[]> | null
}

export function MemberEditor({ member, members, backHref, lastResult }: MemberEditorProps) {
  const sponsor = members.find((one) => one.id === member.sponsor_id)
  const [form, fields] = useForm({
    id: 'member',
    defaultValue: { role: member.role, sponsor: sponsor?.email ?? '', exclude_data: member.exclude_data },
    lastResult,
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: MemberForm }),
    shouldRevalidate: 'onInput',
  })
  const sponsors = members.filter((one) => one.role === 'sponsor' && one.id !== member.id)
  return (
    <Modal title={member.name} closeHref={backHref}>
      <div className="stack">
        <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
          <FormErrors form={form} />
          <SelectInput field={fields.role} label="Role" options={MEMBER_ROLES} required />
          {member.role === 'learner' ? (
            <TextInput
              field={fields.sponsor}
              label="Sponsor"
              type="email"
              help={`The e-mail of anybody in your company; empty for none.${sponsors.length > 0 ? ` Sponsors so far: ${sponsors.map((one) => one.email).join(', ')}` : ''}`}
            />
          ) : null}
          <CheckboxInput
            field={fields.exclude_data}
            label="Leave out of all figures"
            help="For pilots, facilitators and HR; also for what was answered before."
          />
          <div className="dialog-actions">
            <ButtonLink to={backHref} variant="soft" color="gray">
              Back
            </ButtonLink>
            <SubmitButton intent="save-member">Save participant</SubmitButton>
          </div>
        </Form>
        <Form method="post" preventScrollReset className="stack">
          <input type="hidden" name="intent" value="remove-member" />
          <input type="hidden" name="member_id" value={member.id} />
          {member.role === 'sponsor' ? (
            <label className="field">
              <span className="field-label">Who looks after their learners then</span>
              <select className="input input-select" name="successor_id" defaultValue="">
                <option value="">Nobody</option>
                {sponsors.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </select>
            </label>
          ) : null}
          <p className="people-mail">What was not sent yet is cancelled; answers stay.</p>
          <div>
            <Button type="submit" variant="soft" color="red">
              Remove<span className="hidden-words"> {member.name}</span>
            </Button>
          </div>
        </Form>
      </div>
    </Modal>
  )
}
