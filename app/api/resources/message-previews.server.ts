import * as calls from '#app/api/contract/message-previews.ts'
import { serve } from '#app/api/serve.server.ts'
import { getSignInMessages } from '#app/auth/sign-in-messages.server.ts'
import { getConfig } from '#app/config.server.ts'
import { listMessageKinds, previewMessage, type Setting } from '#app/domain/previews/previews.server.ts'
import { previewHtml } from '#app/integrations/mail/mail-html.ts'

const settingIn = (look: 'light' | 'dark'): Setting => ({
  origin: getConfig().PUBLIC_ORIGIN,
  signIn: getSignInMessages(),
  draw: (mail) => previewHtml(mail, look),
})

export const messagePreviews = serve(calls, {
  listMessageKinds: ({ scope }) => listMessageKinds(scope, settingIn('light')),
  previewMessage: ({ scope, ids, query }) => previewMessage(scope, ids.kind, settingIn(query.look)),
})
