import { asking, atField } from '#app/api/asking.server.ts'
import * as calls from '#app/api/contract/people/contacts.ts'
import { RefusedAndKept, serve } from '#app/api/serve.server.ts'
import {
  confirmContactChange,
  getContacts,
  requestContactChange,
} from '#app/domain/account/contact-changes.server.ts'
import { invalid } from '#app/domain/errors.ts'

export const contacts = serve(calls, {
  getContacts: ({ scope, caller }) => getContacts(scope, asking(caller)),
  requestContactChange: async ({ scope, body, caller }) => {
    return atField('password', requestContactChange(scope, asking(caller), body))
  },
  confirmContactChange: async ({ scope, body, caller }) => {
    const { kind, code } = body
    const why = await confirmContactChange(scope, kind, code)
    if (why) return new RefusedAndKept(invalid({ code: [why] }))
    return getContacts(scope, asking(caller))
  },
})
