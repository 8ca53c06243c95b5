/** What a person is called: first and last name, or their address where they gave none. */
type Named = { first_name: string | null; last_name: string | null }

export const fullName = ({ first_name, last_name }: Named): string =>
  `${first_name ?? ''} ${last_name ?? ''}`.trim()

export const nameOrEmail = <Email extends string | null>(person: Named & { email: Email }): string | Email =>
  fullName(person) || person.email
