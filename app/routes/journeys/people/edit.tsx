import { getFormProps } from '@conform-to/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { changeParticipants } from '#app/api/contract/participants.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { MEMBER_ROLES, Member } from '#app/domain/participants/member.ts'
import { formOfMember, hasHiddenSponsor, MemberForm } from '#app/domain/participants/member-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard, type Visitor } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput, ChoiceInput, SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'
import { Link } from '#app/ui/link.tsx'
import { differencesOf } from '../differences.ts'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { inWords } from '../journey-badge.tsx'
import { JourneyPage } from '../journey-page.tsx'
import { mapFieldErrors } from '../map-field-errors.server.ts'
import { peopleOf, usePeopleAddress } from './address.ts'
import { chooseSponsor } from './choose-sponsor.server.ts'
import { listSponsors, readMember } from './list-people.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  {
    title: `${isolated(data?.member?.name ?? 'Participant')} · ${isolated(data?.journey.name ?? 'Journey')} · Liftwell`,
  },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const id = String(args.params.journeyId)
  const [shown, member, sponsors] = await Promise.all([
    readJourney(api, id),
    readMember(api, id, args.params.memberId),
    listSponsors(api, id, ''),
  ])
  await requireMayEdit(shown)
  const others = sponsors.data.filter((one) => one.id !== member?.id).map(({ email }) => email)
  return data({ ...shown, member, sponsors: others }, { status: member ? 200 : 404 })
}

export async function action(args: ActionFunctionArgs) {
  const visitor = await requireDashboard(args)
  const { api } = visitor
  const { journeyId, memberId } = args.params
  const submission = readForm(await args.request.formData(), MemberForm)
  if (submission.status !== 'success') return refuse(submission)
  const { sponsor, chosen, ...change } = submission.value
  try {
    const isOpen = change.role === 'learner' && !(await keepsSponsor(args, visitor, sponsor))
    const sponsoring = isOpen ? await chooseSponsor(visitor, sponsor, chosen) : null
    if (sponsoring?.found) {
      const { found, why } = sponsoring
      return data({ ...submission.reply({ fieldErrors: { sponsor: [why] } }), found }, { status: 422 })
    }
    const member_ids = [Number(memberId)]
    await api(changeParticipants, { id: journeyId }, { member_ids, ...change, ...sponsoring })
  } catch (error) {
    if (await isWithdrawn(error)) return data({ problem: whyGone(change.role, sponsor) }, { status: 409 })
    const names = { sponsor_id: 'sponsor', sponsor_user_id: 'sponsor' }
    return refuse(submission, await mapFieldErrors(error, names))
  }
  return redirectWithToast(peopleOf(journeyId, args.request), { title: 'Participant saved' })
}

const keepsSponsor = async ({ params }: ActionFunctionArgs, { api }: Visitor, words: string | undefined) => {
  if (words) return false
  const member = await readMember(api, String(params.journeyId), params.memberId)
  return member !== null && hasHiddenSponsor(member)
}

/** Whether the participant was removed during editing. */
async function isWithdrawn(error: unknown): Promise<boolean> {
  if (!(error instanceof Response)) return false
  if (error.status !== 409) return error.status === 404
  const { current } = (await error.clone().json()) as { current?: { state?: string } }
  return current?.state === 'withdrawn'
}

const whyGone = (role: string, sponsor: string | undefined) =>
  `Someone removed this participant while you were editing. Add them again first; you had chosen: ${role}${sponsor ? `, sponsor ${sponsor}` : ''}.`

type Answer = { problem?: string; found?: { email: string; name: string }[] }

export default function EditParticipant() {
  const { journey, member } = useLoaderData<typeof loader>()
  const problem = useActionData<Answer>()?.problem
  const { list } = usePeopleAddress(journey.id)
  return (
    <JourneyPage journey={journey} title={member?.name ?? 'Participant'}>
      <div className="stack page-narrow">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {member ? (
          <MemberFields key={member.id} member={member} />
        ) : (
          <>
            <p>They are no longer in this journey, or the link is old.</p>
            <p>
              <ButtonLink to={list}>Back to the participants</ButtonLink>
            </p>
          </>
        )}
      </div>
    </JourneyPage>
  )
}

function MemberFields({ member }: { member: Member }) {
  const { journey, sponsors } = useLoaderData<typeof loader>()
  const found = useActionData<Answer>()?.found ?? []
  const { list, to } = usePeopleAddress(journey.id)
  const { form, fields, stored } = useSchemaForm(MemberForm, {
    id: 'member',
    defaultValue: formOfMember(member),
  })
  const saved = Member.safeParse(stored).data
  return (
    <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
      <FormErrors form={form} labels={{ ...LABELS, chosen: 'Sponsor' }} />
      {saved ? <SavedMeanwhile differences={differencesOf(LABELS, formOfMember(saved), fields)} /> : null}
      <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
      <SelectInput
        field={fields.role}
        label="Role"
        options={MEMBER_ROLES.map((value) => ({ value, label: inWords(value) }))}
        required
      />
      {member.role === 'learner' ? (
        <TextInput field={fields.sponsor} label="Sponsor" help={helpOf(sponsors, member)} />
      ) : null}
      {found.length > 0 ? (
        <ChoiceInput
          field={fields.chosen}
          label="Which person?"
          options={found.map(({ email, name }) => ({ value: email, label: `${name}, ${email}` }))}
        />
      ) : null}
      <CheckboxInput
        field={fields.exclude_data}
        label={LABELS.exclude_data}
        help="For pilots, facilitators and HR. Past answers are excluded, too."
      />
      <p className="row-actions row-actions-start">
        <Link className="dangerous" to={to(`${member.id}/remove`)}>
          Remove {member.name}…
        </Link>
      </p>
      <FormActions>
        <ButtonLink to={list} variant="soft" color="gray">
          Back
        </ButtonLink>
        <SubmitButton>Save participant</SubmitButton>
      </FormActions>
    </Form>
  )
}

const LABELS = { role: 'Role', sponsor: 'Sponsor', exclude_data: 'Exclude from analytics' }

function helpOf(sponsors: readonly string[], member: Member): string {
  const soFar = sponsors.slice(0, 5)
  const more = sponsors.length > soFar.length ? ' and more' : ''
  const known = soFar.length > 0 ? ` Sponsors so far: ${soFar.join(', ')}${more}` : ''
  const blank = hasHiddenSponsor(member)
    ? 'Leave blank to keep the one from outside this sub-tenant.'
    : 'Leave blank for none.'
  return `The name or e-mail of a user. ${blank}${known}`
}
