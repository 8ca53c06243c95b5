/** Samples of the embedded provider's messages, for the page that shows all messages. */
import type { SignInMessage } from '#app/domain/previews/sample-world.ts'

let messages: readonly SignInMessage[] = []

export function setSignInMessages(all: readonly SignInMessage[]): void {
  messages = all
}

export const getSignInMessages = (): readonly SignInMessage[] => messages
