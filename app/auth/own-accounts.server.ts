/** The accounts of the embedded provider, for the calls with which people manage their own. */
import type { Accounts } from '#app/domain/account/accounts.ts'

let accounts: Accounts | undefined

export function setOwnAccounts(all: Accounts | undefined): void {
  accounts = all
}

export const getOwnAccounts = (): Accounts | undefined => accounts
