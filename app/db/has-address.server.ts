import { sql } from 'kysely'

/** A condition on `users`, in a scope: people of its tenant by e-mail address, case-insensitive, along an index. */
export const hasAddress = (...addresses: readonly string[]) =>
  sql<boolean>`users.id = any(array(select people_of_addresses(${addresses}::citext[])))`
