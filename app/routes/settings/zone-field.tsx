/** The person's time zone: on the first visit it is taken from the browser, or asked for without JavaScript. */
import type { FieldMetadata } from '@conform-to/react'
import { useEffect, useState } from 'react'
import { canonicalTimeZone } from '#app/domain/tenants/timezone.ts'
import { SelectInput } from '#app/ui/form/choice-input.tsx'

type ZoneFieldProps = {
  field: FieldMetadata<unknown>
  label: string
  timezones: readonly string[]
  /** The zone that applies without a choice, and whose it is. */
  otherwise: { of: string; timezone: string }
  /** The stored zone. */
  own: string | null
  isFirstVisit: boolean
}

export function ZoneField({ field, label, timezones, otherwise, own, isFirstVisit }: ZoneFieldProps) {
  const isAsked = isFirstVisit && own === null
  const [browser, setBrowser] = useState<string | null>(null)
  const { id } = field
  useEffect(() => {
    const zone = canonicalTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone)
    if (zone === null || !timezones.includes(zone)) return
    setBrowser(zone)
    const select = document.getElementById(id)
    // Keeps a choice made before the script was loaded.
    if (isAsked && select instanceof HTMLSelectElement && select.value === '') select.value = zone
  }, [id, timezones, isAsked])
  return (
    <SelectInput
      field={field}
      label={label}
      help={helpOf({ isFirstVisit, otherwise, own, browser })}
      placeholder={`As ${otherwise.of} (${otherwise.timezone})`}
      options={timezones}
    />
  )
}

type From = Pick<ZoneFieldProps, 'otherwise' | 'own' | 'isFirstVisit'> & { browser: string | null }

function helpOf({ isFirstVisit, otherwise, own, browser }: From): string {
  if (isFirstVisit && own === null)
    return browser
      ? `Filled in from your browser: ${browser}. Change it if you live elsewhere.`
      : `Please choose yours. Without one, that of ${otherwise.of} is used (${otherwise.timezone}).`
  const where =
    own === null
      ? `The time zone of ${otherwise.of} (${otherwise.timezone}).`
      : isFirstVisit
        ? 'Set by your company.'
        : ''
  const here = browser === own ? 'The same as your browser’s.' : `Your browser is in ${browser}.`
  return [where, browser === null ? '' : here].filter(Boolean).join(' ')
}
