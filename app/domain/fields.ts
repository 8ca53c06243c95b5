/** The fields of a noun, each declared once: its label, what may be sent for it, and what follows from that. */
import { z } from 'zod'

export type Field = {
  label: string
  /** The schema of a value from a call, a form or a cell of a file; optional values can be left out. */
  input: z.ZodType
}
export type Fields = Record<string, Field>

/** A value or null; an empty field of a form and an empty cell of a file count as null. */
export const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((sent) => (typeof sent === 'string' && sent.trim() === '' ? null : sent), schema.nullable())
    .optional()

export const namesOf = <Of extends Fields>(fields: Of) => Object.keys(fields) as (keyof Of & string)[]

type NamesWith<Of extends Fields, Flag extends string> = {
  [Name in keyof Of & string]: Of[Name] extends Record<Flag, true> ? Name : never
}[keyof Of & string]

/** The names of the fields that are declared with the flag. */
export const namesWith = <Of extends Fields, const Flag extends string>(fields: Of, flag: Flag) =>
  namesOf(fields).filter((name) => (fields[name] as Partial<Record<Flag, true>>)[flag]) as NamesWith<
    Of,
    Flag
  >[]

export const pick = <Row extends object, const Name extends keyof Row>(row: Row, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as Pick<Row, Name>

export const mapped = <Of extends Fields, Result>(fields: Of, to: (field: Of[keyof Of]) => Result) =>
  Object.fromEntries(namesOf(fields).map((name) => [name, to(fields[name])])) as {
    [Name in keyof Of]: Result
  }

export const labelsOf = <Of extends Fields>(fields: Of) => mapped(fields, ({ label }) => label)

export const inputsOf = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ input }) => input) as unknown as { [Name in keyof Of]: Of[Name]['input'] }

type Answers<Of extends Fields> = {
  [Name in keyof Of]: null extends z.output<Of[Name]['input']> ? z.ZodNullable<z.ZodString> : z.ZodString
}

export const answersOf = <Of extends Fields>(fields: Of) =>
  mapped(fields, ({ input }) =>
    input.safeParse(null).success ? z.string().nullable() : z.string(),
  ) as unknown as Answers<Of>
