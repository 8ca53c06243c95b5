/** Shows the secret of a key, the only time. */

import type { NewApiKey } from '#app/domain/api-keys/api-key.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { FormActions } from '#app/ui/form/form.tsx'
import { Page } from '#app/ui/page.tsx'

export function NewKey({ made, listHref }: { made: NewApiKey; listHref: string }) {
  return (
    <Page
      narrow
      title="Copy your API key"
      lead={`${isolated(made.name)} was created. Its key is shown only this once.`}
    >
      <div className="stack">
        <label className="field">
          <span className="field-label">API key</span>
          <input
            className="input"
            readOnly
            value={made.secret}
            autoComplete="off"
            spellCheck={false}
            onFocus={(event) => event.currentTarget.select()}
          />
        </label>
        <p>
          Keep it where only your program can read it. Programs send it as <code>Authorization: Bearer</code>.
          It expires on <Day at={made.expires_on} />.
        </p>
        <FormActions>
          <ButtonLink to={listHref}>Done</ButtonLink>
        </FormActions>
      </div>
    </Page>
  )
}
