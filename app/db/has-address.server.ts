import { sql } from 'kysely'

/** Of `users`, in a scope: people of its tenant by their e-mail addresses, in whatever case, along an index. */
export const hasAddress = (...addresses: readonly string[]) =>
  sql<boolean>`users.id = any(array(select people_of_addresses(${addresses}::citext[])))`
