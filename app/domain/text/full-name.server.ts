/** The names of `full-name.ts` in SQL, for the table `users` under an alias. */
import { sql } from 'kysely'

const ofTable = (users: string) =>
  sql`trim(${sql.ref(`${users}.first_name`)} || ' ' || ${sql.ref(`${users}.last_name`)})`

export const fullNameOf = (users: string) => sql<string>`${ofTable(users)}`

/** Null for people without a name, and without a person. */
export const knownNameOf = (users: string) => sql<string | null>`nullif(${ofTable(users)}, '')`

export const nameOrEmailOf = (users: string) =>
  sql<string>`coalesce(${knownNameOf(users)}, ${sql.ref(`${users}.email`)}::text)`
