import { asking, atField } from '#app/api/asking.server.ts'
import * as calls from '#app/api/contract/people/security.ts'
import { serve } from '#app/api/serve.server.ts'
import {
  changePassword,
  chooseFactor,
  confirmApp,
  getAppSetUp,
  getSecurity,
  setUpApp,
} from '#app/domain/account/own-security.server.ts'

export const security = serve(calls, {
  getSecurity: ({ scope, caller }) => getSecurity(scope, asking(caller)),
  chooseSecondFactor: ({ scope, body, caller }) =>
    atField('password', chooseFactor(scope, asking(caller), body)),
  setUpApp: ({ scope, body, caller }) => atField('password', setUpApp(scope, asking(caller), body.password)),
  getAppSetUp: ({ scope, caller }) => getAppSetUp(scope, asking(caller)),
  confirmApp: ({ scope, body, caller }) => atField('code', confirmApp(scope, asking(caller), body.code)),
  changePassword: async ({ scope, body, caller }) => {
    await atField('password', changePassword(scope, asking(caller), body))
    return {}
  },
})
