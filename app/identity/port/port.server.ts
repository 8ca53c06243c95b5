/** The sign-in screens' port for one request: the shape of `IdentityPort` in app/auth/identity-port.ts, not its import. */
import type { IncomingMessage } from 'node:http'
import { contactSteps } from './contact-steps.server.ts'
import { endSteps } from './end-steps.server.ts'
import { createInteraction, type Setting, type VisitorResponse } from './interaction.server.ts'
import { signInSteps } from './sign-in-steps.server.ts'
import { signUpSteps } from './sign-up-steps.server.ts'
import { situation } from './situation.server.ts'

export function createPort(setting: Setting, req: IncomingMessage, res: VisitorResponse) {
  const interaction = createInteraction(setting, req, res)
  return {
    ...situation(interaction),
    ...signInSteps(interaction),
    ...signUpSteps(interaction),
    ...contactSteps(interaction),
    ...endSteps(interaction),
  }
}
