/** A form that could not be accepted yet: its fields stay on the page, to be sent again unchanged. */
import { Button } from '../button.tsx'
import { says } from '../frame/says.ts'

export type KeptForm = {
  needs: 'second_factor' | 'sign_in' | 'place' | 'open_place' | 'away'
  /** Why the visitor was signed out. */
  ended?: string
  /** The place it was rendered for, and the visitor's current place. */
  drawn_for?: string
  here?: string
  /** The page for a required step before it can be sent. */
  first?: { href: string; words: string }
  to: string
  fields: [name: string, value: string][]
  /** False if it contained a file or a password, which a page cannot keep. */
  is_complete: boolean
}

export const isKeptForm = (data: unknown): data is KeptForm => says(data, 'needs')

export function KeptFormFields({ to, first, fields, is_complete }: KeptForm) {
  return (
    <>
      {first ? (
        <a
          className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-solid"
          href={first.href}
          target="_blank"
          rel="noreferrer"
        >
          {first.words} (new tab)
        </a>
      ) : null}
      <form method="post" action={to}>
        {fields.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be there more than once, and nothing moves
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <Button type="submit" variant="soft" color="gray">
          Send it now
        </Button>
      </form>
      {is_complete ? null : <p>Files and passwords are not kept: the form will ask for them again.</p>}
    </>
  )
}
