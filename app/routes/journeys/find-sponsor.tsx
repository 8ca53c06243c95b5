/** Finds a person among any number of them by words, and takes the e-mail into the form below. */
import { Button } from '@radix-ui/themes'
import { Form, Link } from '@remix-run/react'
import type { Member } from '#app/domain/members/member.ts'
import type { User } from '#app/domain/users/user.ts'
import { Icon } from '#app/ui/icons.tsx'
import { useSearchLink } from '#app/ui/search.ts'

export type Edited = {
  member: Member
  /** Those of the journey, without the participant; not more than a list shows. */
  sponsors: Member[]
  hasMoreSponsors: boolean
  /** Words somebody was sought with, and who was found in the company. */
  seek: string
  found: User[]
  /** The e-mail that was picked from them. */
  chosen: string
}
export function FindSponsor({ edited }: { edited: Edited }) {
  const { seek, found } = edited
  const link = useSearchLink()
  return (
    <div className="stack">
      <SeekForm edited={edited} />
      {seek && found.length === 0 ? <p className="people-mail">Nobody matches “{seek}”.</p> : null}
      {found.length > 0 ? (
        <ul className="people">
          {found.map((user) => (
            <li key={user.id}>
              <span>
                {user.first_name} {user.last_name} <span className="people-mail">{user.email}</span>
              </span>
              <Link to={link({ sponsor: user.email, seek: null })} preventScrollReset>
                Choose
                <span className="hidden-words">
                  {' '}
                  {user.first_name} {user.last_name}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

export function SeekForm({ edited: { member, seek } }: { edited: Edited }) {
  return (
    <SearchPeople
      name="seek"
      label="Find somebody by name or e-mail"
      words={seek}
      keep={{ participantsModal: 'true', member: String(member.id) }}
    />
  )
}

type SearchPeopleProps = { name: string; label: string; words: string; keep: Record<string, string> }

export function SearchPeople({ name, label, words, keep }: SearchPeopleProps) {
  return (
    <Form method="get" role="search" className="filter-search" preventScrollReset>
      {Object.entries(keep).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <label className="filter-input">
        <Icon name="search" size={16} />
        <span className="hidden-words">{label}</span>
        <input
          className="input"
          type="search"
          name={name}
          defaultValue={words}
          maxLength={200}
          placeholder={label}
        />
      </label>
      <Button type="submit" variant="soft" color="gray">
        Search
      </Button>
    </Form>
  )
}
