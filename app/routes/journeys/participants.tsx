/** The learners of a journey, and the people who could become some. */
import { Button } from '@radix-ui/themes'
import { Form, Link } from '@remix-run/react'
import type { z } from 'zod'
import type { MemberPage } from '#app/domain/members/member.ts'
import type { User } from '#app/domain/users/user.ts'
import { Modal } from '#app/ui/dialog.tsx'
import { SubmitButton } from '#app/ui/form.tsx'
import { Icon } from '#app/ui/icons.tsx'
import { useSearchLink } from '#app/ui/search.ts'

export type People = { q: string; users: User[]; members: z.infer<typeof MemberPage> }
type ParticipantsProps = { people: People; closeHref: string; mayEdit: boolean; problem: string | null }

export function Participants({ people, closeHref, mayEdit, problem }: ParticipantsProps) {
  const { data, pagination } = people.members
  return (
    <Modal title={`Participants (${pagination.total})`} closeHref={closeHref} size="large">
      <div className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {mayEdit ? <AddPeople people={people} /> : null}
        <section className="stack" aria-labelledby="members">
          <h3 id="members">Take part</h3>
          {data.length === 0 ? <p className="people-mail">Nobody yet.</p> : null}
          <ul className="people">
            {data.map((member) => (
              <li key={member.id}>
                <span>
                  {member.name} <span className="people-mail">{member.email}</span>
                  {member.role === 'learner' ? null : ` (${member.role})`}
                </span>
                {mayEdit ? <RemoveMember id={member.id} name={member.name} /> : null}
              </li>
            ))}
          </ul>
          <MemberPages current={pagination.current_page} total={pagination.total_pages} />
        </section>
      </div>
    </Modal>
  )
}

function AddPeople({ people }: { people: People }) {
  const takesPart = new Set(people.members.data.map((member) => member.user_id))
  const others = people.users.filter((user) => !takesPart.has(user.id))
  return (
    <section className="stack" aria-labelledby="add-people">
      <h3 id="add-people">Add learners</h3>
      <Form method="get" role="search" className="filter-search" preventScrollReset>
        <input type="hidden" name="participantsModal" value="true" />
        <label className="filter-input">
          <Icon name="search" size={16} />
          <span className="hidden-words">Search people by name or e-mail</span>
          <input
            className="input"
            type="search"
            name="people"
            defaultValue={people.q}
            maxLength={200}
            placeholder="Name or e-mail"
          />
        </label>
        <Button type="submit" variant="soft" color="gray">
          Search
        </Button>
      </Form>
      <Form method="post" preventScrollReset className="stack">
        <fieldset className="field choices scroll-box">
          <legend className="hidden-words">People who do not take part yet</legend>
          {others.length === 0 ? <p className="people-mail">Nobody else matches.</p> : null}
          {others.map((user) => (
            <label key={user.id} className="choice">
              <input className="choice-box" type="checkbox" name="user_ids" value={user.id} />
              <span className="choice-label">
                {user.first_name} {user.last_name} <span className="people-mail">{user.email}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <div>
          <SubmitButton intent="add-members">Add learners</SubmitButton>
        </div>
      </Form>
    </section>
  )
}

function RemoveMember({ id, name }: { id: number; name: string }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="intent" value="remove-member" />
      <input type="hidden" name="member_id" value={id} />
      <Button type="submit" variant="ghost" color="red">
        Remove<span className="hidden-words"> {name}</span>
      </Button>
    </Form>
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
