/** The question before a participant leaves; of a sponsor also who looks after their learners then. */
import { Button } from '@radix-ui/themes'
import { ButtonLink } from '#app/ui/button.tsx'
import { Modal } from '#app/ui/dialog.tsx'
import { Form } from '#app/ui/place-form.tsx'
import type { Edited } from './member-editor.tsx'
import { SearchPeople } from './search-people.tsx'

type MemberLeavesProps = { edited: Edited; problem: string | undefined; backHref: string }

export function MemberLeaves({ edited, problem, backHref }: MemberLeavesProps) {
  const { member, sponsors, hasMoreSponsors, seek } = edited
  const isSponsor = member.role === 'sponsor'
  return (
    <Modal title={`Remove ${member.name}?`} closeHref={backHref}>
      <div className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {isSponsor && (hasMoreSponsors || seek) ? (
          <SearchPeople name="seek" label="Find a sponsor by name or e-mail" words={seek} />
        ) : null}
        {seek && sponsors.length === 0 ? (
          <p className="people-mail">No other sponsor matches “{seek}”.</p>
        ) : null}
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
          <p>What was not sent yet is cancelled; answers stay.</p>
          <div className="dialog-actions">
            <ButtonLink to={backHref} variant="soft" color="gray">
              Keep them
            </ButtonLink>
            <Button type="submit" color="red">
              Remove<span className="hidden-words"> {member.name}</span>
            </Button>
          </div>
        </Form>
      </div>
    </Modal>
  )
}
