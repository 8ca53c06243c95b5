/** Turns a violation of a unique index into a refusal that people can read. */
import { conflict } from './errors.ts'

/** For an address in a domain that belongs to another company. */
export const FOREIGN_DOMAIN =
  'Addresses in this domain belong to another company here. Please use another domain.'

export const EMAIL_TAKEN = 'Someone with this e-mail address already has an account.'

export const UNIQUE_VIOLATION = '23505'

/** `taken`: for each unique index, the field and the sentence of its refusal. */
export async function unlessTaken<Result>(
  taken: Readonly<Record<string, readonly [field: string, why: string]>>,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const { code, constraint } = error as { code?: unknown; constraint?: unknown }
    const meaning =
      code === UNIQUE_VIOLATION && typeof constraint === 'string' ? taken[constraint] : undefined
    if (!meaning) throw error
    throw conflict(...meaning)
  }
}
