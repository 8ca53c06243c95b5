/** A form that could not be taken yet: its fields stay on the page, to be sent again as they are. */

export type KeptForm = {
  needs: 'second_factor'
  to: string
  fields: [name: string, value: string][]
  /** False: a file or a password was in it, which no page can keep. */
  is_whole: boolean
}

export const isKeptForm = (data: unknown): data is KeptForm =>
  typeof data === 'object' && data !== null && 'needs' in data && data.needs === 'second_factor'

export function KeptFormFields({ to, fields, is_whole }: KeptForm) {
  return (
    <>
      <a
        className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-solid"
        href="/settings/security?needed=true"
        target="_blank"
        rel="noreferrer"
      >
        Set up a second factor (new tab)
      </a>
      <form method="post" action={to}>
        {fields.map(([name, value], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a name may be there more than once, and nothing moves
          <input key={index} type="hidden" name={name} value={value} />
        ))}
        <button
          type="submit"
          className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft"
          data-accent-color="gray"
        >
          Send it now
        </button>
      </form>
      {is_whole ? null : <p>Files and passwords are not kept: the form will ask for them again.</p>}
    </>
  )
}
