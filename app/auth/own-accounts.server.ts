/** The accounts at the platform's own provider, for the calls by which people look after theirs. */
import type { Accounts } from '#app/domain/account/accounts.ts'

let accounts: Accounts | undefined

export function setOwnAccounts(all: Accounts | undefined): void {
  accounts = all
}

export const getOwnAccounts = (): Accounts | undefined => accounts
