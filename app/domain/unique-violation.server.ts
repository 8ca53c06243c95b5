/** Names and addresses that exist once: the database says that one is taken, people read why. */
import { conflict } from './errors.ts'

/** Of an address whose domain another company keeps. */
export const FOREIGN_DOMAIN =
  'Addresses in this domain belong to another company here. Please use another domain.'

export const EMAIL_TAKEN = 'Someone with this e-mail address already has an account.'

export const UNIQUE_VIOLATION = '23505'

/** `taken`: the unique index, and the field and sentence it means. */
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
