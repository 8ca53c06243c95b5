/** What the platform asks of an identity provider about accounts. */

export type Invitation = {
  pool: string
  email: string
  attributes: Record<string, string>
  /** The account that is the person's already, whatever its name. */
  own: string | undefined
}

export type Invited = {
  sub: string
  /** Where the person chooses a password; null when they have one already. */
  link: string | null
  temporary_until: Date | null
}

export type IdentityAdmin = {
  /** Creates the account, also in the place of one that is nobody's, or gives one that was never used a new link. */
  invite(invitation: Invitation): Promise<Invited>
  setEnabled(account: { pool: string; sub: string; enabled: boolean }): Promise<void>
  changeEmail(account: { pool: string; sub: string; email: string }): Promise<void>
  /** The password is worth nothing from now on: a code and a new one are due at the next sign-in. */
  requireReset(account: { pool: string; sub: string }): Promise<void>
  /** Null: there is none any more; where one is needed, an app is set up at the next sign-in. */
  setSecondFactor(account: { pool: string; sub: string; preferred: null }): Promise<void>
  signOutEverywhere(account: { pool: string; sub: string }): Promise<void>
  /** Disables the account for good and forgets whose it was. */
  erase(account: { pool: string; sub: string }): Promise<void>
}
