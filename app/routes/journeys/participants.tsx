/** The learners of a journey, and the people who could become some. */
import { getFormProps, type SubmissionResult, useForm } from '@conform-to/react'
import { Button } from '@radix-ui/themes'
import { Link } from '@remix-run/react'
import type { z } from 'zod'
import { MEMBER_ROLES, type MemberPage } from '#app/domain/participants/member.ts'
import { GroupForm } from '#app/domain/participants/member-form.ts'
import type { User } from '#app/domain/users/user.ts'
import { Modal } from '#app/ui/dialog.tsx'
import { FormErrors, SelectInput, SubmitButton } from '#app/ui/form.tsx'
import { parseForm } from '#app/ui/parse-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { type Edited, MemberEditor } from './member-editor.tsx'
import { MemberLeaves } from './member-leaves.tsx'
import { ImportTable, type TableAnswer } from './participants-import.tsx'
import { KeptSearch, SearchField, SearchPeople } from './search-people.tsx'

export type People = {
  /** Words to look for people with: outside and inside the journey. */
  q: string
  find: string
  /** Who could become a learner: those who are ticked so far, and who matches the words. */
  chosen: User[]
  others: User[]
  members: z.infer<typeof MemberPage>
  withdrawn: z.infer<typeof MemberPage>
  subTenants: { id: string; name: string }[]
  edited: Edited | null
}
type ParticipantsProps = {
  people: People
  closeHref: string
  mayEdit: boolean
  answered: TableAnswer | undefined
  lastResult: SubmissionResult<string[]> | null
  current?: unknown
}

export function Participants(props: ParticipantsProps) {
  const { people, closeHref, mayEdit, answered, lastResult, current } = props
  const { data, pagination } = people.members
  const link = useSearchLink()
  const problem = answered?.problem
  const { edited, find } = people
  if (edited && mayEdit) {
    const backHref = link({ member: null, leave: null, seek: null })
    return edited.leave ? (
      <MemberLeaves edited={edited} problem={problem} backHref={backHref} />
    ) : (
      <MemberEditor key={edited.member.id} {...{ edited, backHref, lastResult, current }} />
    )
  }
  return (
    <Modal title={`Participants (${pagination.total})`} closeHref={closeHref} size="large">
      <div className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {mayEdit ? <Adding people={people} answered={answered} lastResult={lastResult} /> : null}
        <section className="stack" aria-labelledby="members">
          <h3 id="members">Take part</h3>
          {find || pagination.total_pages > 1 || people.withdrawn.pagination.total_pages > 1 ? (
            <SearchPeople name="find" label="Find a participant" words={find} fresh="members" />
          ) : null}
          {data.length === 0 ? (
            <p className="people-mail">{find ? `Nobody matches “${find}”.` : 'Nobody yet.'}</p>
          ) : null}
          <ul className="people">
            {data.map((member) => (
              <li key={member.id}>
                <span>
                  {member.name} <span className="people-mail">{member.email}</span>
                  {member.role === 'learner' ? null : ` (${member.role})`}
                  {member.sponsor_name ? (
                    <span className="people-mail"> · Sponsor: {member.sponsor_name}</span>
                  ) : null}
                  {member.exclude_data ? <span className="people-mail"> · not in the figures</span> : null}
                </span>
                {mayEdit ? (
                  <span className="row-actions">
                    <Link to={link({ member: String(member.id) })} preventScrollReset>
                      Edit<span className="hidden-words"> {member.name}</span>
                    </Link>
                    <Link
                      className="dangerous"
                      to={link({ member: String(member.id), leave: 'true' })}
                      preventScrollReset
                    >
                      Remove<span className="hidden-words"> {member.name}</span>
                    </Link>
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
          <MemberPages current={pagination.current_page} total={pagination.total_pages} />
        </section>
        {people.withdrawn.data.length > 0 ? <Withdrawn page={people.withdrawn} mayEdit={mayEdit} /> : null}
      </div>
    </Modal>
  )
}

/** What was said about a table stands first: without JavaScript the page begins at its top. */
function Adding({
  people,
  answered,
  lastResult,
}: Pick<ParticipantsProps, 'people' | 'answered' | 'lastResult'>) {
  const isAnswered = answered?.table !== undefined || answered?.tableProblem !== undefined
  return (
    <>
      {isAnswered ? <ImportTable {...answered} /> : null}
      <AddPeople people={people} />
      <AddGroup subTenants={people.subTenants} lastResult={lastResult} />
      {isAnswered ? null : <ImportTable />}
    </>
  )
}

/** One form: who is ticked stays so while others are looked for. */
function AddPeople({ people: { chosen, others, q } }: { people: People }) {
  return (
    <section className="stack" aria-labelledby="add-people">
      <h3 id="add-people">Add learners</h3>
      <Form method="get" preventScrollReset className="stack">
        <KeptSearch but={['people', 'user_ids']} />
        <div className="filter-search">
          <SearchField name="people" label="Search people by name or e-mail" words={q} />
        </div>
        <fieldset className="field choices scroll-box">
          <legend className="hidden-words">People who do not take part yet</legend>
          {others.length === 0 ? <p className="people-mail">Nobody else matches.</p> : null}
          {[...chosen, ...others].map((user) => (
            <label key={user.id} className="choice">
              <input
                className="choice-box"
                type="checkbox"
                name="user_ids"
                value={user.id}
                defaultChecked={chosen.includes(user)}
              />
              <span className="choice-label">
                {user.first_name} {user.last_name} <span className="people-mail">{user.email}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <SubmitButton intent="add-members" formMethod="post">
            Add learners
          </SubmitButton>
        </div>
      </Form>
    </section>
  )
}

const GROUPS = [
  { value: 'user', label: 'Users' },
  { value: 'author', label: 'Authors' },
  { value: 'admin', label: 'Administrators' },
]

function AddGroup({
  subTenants,
  lastResult,
}: {
  subTenants: People['subTenants']
  lastResult: SubmissionResult<string[]> | null
}) {
  const [form, fields] = useForm({
    id: 'group',
    lastResult,
    defaultNoValidate: false,
    shouldRevalidate: 'onInput',
    onValidate: ({ formData }) => parseForm(formData, GroupForm),
  })
  return (
    <details className="more" open={form.errors !== undefined || form.allErrors.group !== undefined}>
      <summary>Add everybody with a role or of a sub-tenant</summary>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        <SelectInput field={fields.general_role} label="Everybody with the role" options={GROUPS} />
        {subTenants.length > 0 ? (
          <SelectInput
            field={fields.sub_tenant_id}
            label="Everybody of the sub-tenant"
            options={subTenants.map(({ id, name }) => ({ value: id, label: name }))}
          />
        ) : null}
        <SelectInput field={fields.role} label="As" options={MEMBER_ROLES} />
        <div>
          <SubmitButton intent="add-group">Add all of them</SubmitButton>
        </div>
      </Form>
    </details>
  )
}

function Withdrawn({ page, mayEdit }: { page: People['withdrawn']; mayEdit: boolean }) {
  const more = page.pagination.total - page.data.length
  return (
    <section className="stack" aria-labelledby="withdrawn">
      <h3 id="withdrawn">Left</h3>
      <ul className="people">
        {page.data.map((member) => (
          <li key={member.id}>
            <span>
              {member.name} <span className="people-mail">{member.email}</span>
            </span>
            {mayEdit ? (
              <Form method="post" preventScrollReset>
                <input type="hidden" name="member_id" value={member.id} />
                <Button type="submit" variant="ghost" name="intent" value="return-member">
                  Take back<span className="hidden-words"> {member.name}</span>
                </Button>
              </Form>
            ) : null}
          </li>
        ))}
      </ul>
      {more > 0 ? <p className="people-mail">and {more} more: find them above by name.</p> : null}
    </section>
  )
}

function MemberPages({ current, total }: { current: number; total: number }) {
  const link = useSearchLink()
  if (total < 2) return null
  return (
    <p className="row-actions">
      {current > 1 ? <Link to={link({ members: String(current - 1) })}>Previous</Link> : null}
      <span>
        Page {current} of {total}
      </span>
      {current < total ? <Link to={link({ members: String(current + 1) })}>Next</Link> : null}
    </p>
  )
}
