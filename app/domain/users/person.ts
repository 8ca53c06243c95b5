/**
 * The fields of a person. Input, forms, import, export, erasure and lists follow from them (docs/adding-a-field.md).
 */
import type { z } from 'zod'
import { type Field, mapped, orNothing } from '#app/domain/fields.ts'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { EmailAddress, FirstName, LastName, line } from '#app/domain/text/text.ts'
import { hasLetters, NO_LETTERS } from './phone/phone-letters.ts'

type PersonField = Field & {
  /** An example for the import template. */
  example: string
  /** Its value after an erasure; null if not given. */
  erased?: string | ((id: number) => string)
  /** People can change it themselves, on their profile. */
  own?: true
  /** A column of the list of people. */
  listed?: true
  /** A filter of that list: a parameter of the API, and a chip for each existing value. */
  filtered?: true
}

export const PERSON = {
  email: {
    label: 'E-mail',
    input: EmailAddress,
    example: 'ana@example.com',
    erased: (id) => `erased-${id}@erased.invalid`,
    listed: true,
  },
  first_name: { label: 'First name', input: FirstName, example: 'Ana', erased: 'Erased', own: true },
  last_name: {
    label: 'Last name',
    input: LastName.optional(),
    example: 'García',
    erased: 'person',
    own: true,
  },
  /** As typed; only the server can check that such a number exists (user-input.ts). */
  mobile_phone: {
    label: 'Mobile phone',
    input: orNothing(line(40).refine((typed) => !hasLetters(typed), NO_LETTERS)),
    example: '+34600111222',
  },
  job_title: {
    label: 'Job title',
    input: orNothing(line(120)),
    example: 'Team lead',
    own: true,
    listed: true,
  },
  department: {
    label: 'Department',
    input: orNothing(line(120)),
    example: 'Operations',
    own: true,
    listed: true,
    filtered: true,
  },
  /** If empty, the company's zone applies. */
  timezone: { label: 'Time zone', input: orNothing(TimeZone), example: 'Europe/Madrid', own: true },
} as const satisfies Record<string, PersonField>

export const EXAMPLES = mapped(PERSON, ({ example }) => example)

/** The fields of an erased person. */
export const erasedPerson = (id: number) =>
  mapped(PERSON, ({ erased }: PersonField) =>
    typeof erased === 'function' ? erased(id) : (erased ?? null),
  ) as {
    [Name in keyof typeof PERSON]: null extends z.output<(typeof PERSON)[Name]['input']> ? null : string
  }
