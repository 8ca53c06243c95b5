/** One participant: their role, their sponsor, whether they count. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Link, useActionData } from '@remix-run/react'
import type { z } from 'zod'
import { MEMBER_ROLES, Member } from '#app/domain/participants/member.ts'
import { formOfMember, MemberForm } from '#app/domain/participants/member-form.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { ChoiceInput } from '#app/ui/choice-input.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { CheckboxInput, FormErrors, SelectInput, SubmitButton, TextInput } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { SavedMeanwhile } from '#app/ui/saved-meanwhile.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { SeenVersion } from '#app/ui/seen-version.tsx'
import { differencesOf } from './differences.ts'

export type Edited = {
  member: Member
  /** Those of the journey, without the participant; not more than a list shows. */
  sponsors: Member[]
  hasMoreSponsors: boolean
  /** Whether it is asked if they leave, and words a successor was sought with. */
  leave: boolean
  seek: string
}
/** Whom the words in the field of the sponsor found. */
export type SponsorFound = { found?: { email: string; name: string }[] }

type MemberEditorProps = {
  edited: Edited
  backHref: string
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function MemberEditor({ edited, backHref, lastResult, current }: MemberEditorProps) {
  const { member, sponsors } = edited
  const saved = Member.safeParse(current).data
  const link = useSearchLink()
  const found = useActionData<SponsorFound>()?.found ?? []
  const [form, fields] = useForm<z.input<typeof MemberForm>>({
    id: 'member',
    defaultValue: formOfMember(member),
    lastResult,
    defaultNoValidate: false,
    onValidate: ({ formData }) => parseForm(formData, MemberForm),
    shouldRevalidate: 'onInput',
  })
  return (
    <Modal title={member.name} closeHref={backHref}>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
        <FormErrors form={form} labels={{ ...LABELS, chosen: 'Sponsor' }} />
        {saved ? <SavedMeanwhile differences={differencesOf(LABELS, formOfMember(saved), fields)} /> : null}
        <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
        <SelectInput field={fields.role} label="Role" options={MEMBER_ROLES} required />
        {member.role === 'learner' ? (
          <TextInput field={fields.sponsor} label="Sponsor" help={helpOf(sponsors)} />
        ) : null}
        {found.length > 0 ? (
          <ChoiceInput
            field={fields.chosen}
            label="Who is meant?"
            options={found.map(({ email, name }) => ({ value: email, label: `${name}, ${email}` }))}
          />
        ) : null}
        <CheckboxInput
          field={fields.exclude_data}
          label={LABELS.exclude_data}
          help="For pilots, facilitators and HR; also for what was answered before."
        />
        <p>
          <Link to={link({ leave: 'true' })} preventScrollReset>
            Remove {member.name}…
          </Link>
        </p>
        <div className="dialog-actions">
          <ButtonLink to={backHref} variant="soft" color="gray">
            Back
          </ButtonLink>
          <SubmitButton intent="save-member">Save participant</SubmitButton>
        </div>
      </Form>
    </Modal>
  )
}

const LABELS = { role: 'Role', sponsor: 'Sponsor', exclude_data: 'Leave out of all figures' }

function helpOf(sponsors: readonly Member[]): string {
  const soFar = sponsors.slice(0, 5).map((one) => one.email)
  const more = sponsors.length > soFar.length ? ' and more' : ''
  return `The name or e-mail of anybody in your company; empty for none.${soFar.length > 0 ? ` Sponsors so far: ${soFar.join(', ')}${more}` : ''}`
}
