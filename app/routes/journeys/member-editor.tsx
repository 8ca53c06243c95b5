/** One participant: their role, their sponsor, whether they count; and how they leave. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { Button } from '@radix-ui/themes'
import { Form } from '@remix-run/react'
import { MEMBER_ROLES } from '#app/domain/members/member.ts'
import { MemberForm } from '#app/domain/members/member-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { CheckboxInput, FormErrors, SelectInput, SubmitButton, TextInput } from '#app/ui/form.tsx'
import { type Edited, FindSponsor, SeekForm } from './find-sponsor.tsx'

type MemberEditorProps = {
  edited: Edited
  problem: string | undefined
  backHref: string
  lastResult: SubmissionResult<string[]> | null
}

export function MemberEditor({ edited, problem, backHref, lastResult }: MemberEditorProps) {
  const { member, sponsors, chosen } = edited
  const [form, fields] = useForm({
    id: 'member',
    defaultValue: {
      role: member.role,
      sponsor: chosen || (member.sponsor_email ?? ''),
      exclude_data: member.exclude_data,
    },
    lastResult,
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseWithZod(formData, { schema: MemberForm }),
    shouldRevalidate: 'onInput',
  })
  const soFar = sponsors.slice(0, 5).map((one) => one.email)
  return (
    <Modal title={member.name} closeHref={backHref}>
      <div className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {member.role === 'learner' ? <FindSponsor edited={edited} /> : null}
        <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
          <FormErrors form={form} />
          <SelectInput field={fields.role} label="Role" options={MEMBER_ROLES} required />
          {member.role === 'learner' ? (
            <TextInput
              field={fields.sponsor}
              label="Sponsor"
              type="email"
              help={`The e-mail of anybody in your company; empty for none.${soFar.length > 0 ? ` Sponsors so far: ${soFar.join(', ')}${sponsors.length > soFar.length ? ' and more' : ''}` : ''}`}
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
        <Leave edited={edited} />
      </div>
    </Modal>
  )
}

function Leave({ edited }: { edited: Edited }) {
  const { member, sponsors, hasMoreSponsors, seek } = edited
  const isSponsor = member.role === 'sponsor'
  return (
    <section className="stack" aria-labelledby="leave">
      <h3 id="leave">Remove {member.name}</h3>
      {isSponsor && (hasMoreSponsors || seek) ? <SeekForm edited={edited} /> : null}
      <Form method="post" preventScrollReset className="stack">
        <input type="hidden" name="intent" value="remove-member" />
        <input type="hidden" name="member_id" value={member.id} />
        {isSponsor ? (
          <label className="field">
            <span className="field-label">Who looks after their learners then</span>
            <select className="input input-select" name="successor_id" defaultValue="">
              <option value="">Nobody</option>
              {sponsors.map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name} ({one.email})
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
    </section>
  )
}
