/** What is known about a person. Input, forms, import, export, erasure and lists follow from this (docs/adding-a-field.md). */
import type { z } from 'zod'
import { type Field, mapped, orNothing } from '#app/domain/fields.ts'
import { TimeZone } from '#app/domain/tenants/timezone.ts'
import { EmailAddress, FirstName, LastName, line } from '#app/domain/text/text.ts'
import { hasLetters, NO_LETTERS } from './phone/phone-letters.ts'

type PersonField = Field & {
  /** In the template of an import. */
  example: string
  /** What is left of it when the person is erased; null where this is not said. */
  erased?: string | ((id: number) => string)
  /** They may change it themselves, on their profile. */
  own?: true
  /** A column of the list of people. */
  listed?: true
  /** A filter of that list: a parameter of the API, and a chip for each value that people have. */
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
  /** As it is typed; whether such a number can exist is known to the server (user-input.ts). */
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
  /** Without one, that of the company. */
  timezone: { label: 'Time zone', input: orNothing(TimeZone), example: 'Europe/Madrid', own: true },
} as const satisfies Record<string, PersonField>

export const EXAMPLES = mapped(PERSON, ({ example }) => example)

/** What an erasure leaves. */
export const erasedPerson = (id: number) =>
  mapped(PERSON, ({ erased }: PersonField) =>
    typeof erased === 'function' ? erased(id) : (erased ?? null),
  ) as {
    [Name in keyof typeof PERSON]: null extends z.output<(typeof PERSON)[Name]['input']> ? null : string
  }
