/** How the messages of the platform's own provider read, for those who look at them. */
import type { SignInMessage } from '#app/domain/previews/sample-world.ts'

let messages: readonly SignInMessage[] = []

export function setSignInMessages(all: readonly SignInMessage[]): void {
  messages = all
}

export const getSignInMessages = (): readonly SignInMessage[] => messages
