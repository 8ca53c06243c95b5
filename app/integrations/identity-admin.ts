/** What the platform can do with accounts at an identity provider. */

export type Invitation = {
  pool: string
  email: string
  attributes: Record<string, string>
  /** The person's existing account, if any, whatever its name. */
  own: string | undefined
}

export type Invited = {
  sub: string
  /** Where the person chooses a password; null when they have one already. */
  link: string | null
  temporary_until: Date | null
}

export type IdentityAdmin = {
  /** Creates the account, also replacing one that belongs to nobody; an account never used gets a new link. */
  invite(invitation: Invitation): Promise<Invited>
  setEnabled(account: { pool: string; sub: string; enabled: boolean }): Promise<void>
  changeEmail(account: { pool: string; sub: string; email: string }): Promise<void>
  /** Invalidates the password: the next sign-in asks for a code and a new password. */
  requireReset(account: { pool: string; sub: string }): Promise<void>
  /** Null removes the second factor; where one is required, the next sign-in sets up an app. */
  setSecondFactor(account: { pool: string; sub: string; preferred: null }): Promise<void>
  signOutEverywhere(account: { pool: string; sub: string }): Promise<void>
  /** Disables the account for good and deletes its personal data. */
  erase(account: { pool: string; sub: string }): Promise<void>
}
