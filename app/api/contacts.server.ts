/** One's own address and number, and proving new ones. */
import { createRoute } from '@hono/zod-openapi'
import { ContactChangeInput, ContactCode, Contacts } from '#app/domain/account/contact-change.ts'
import {
  confirmContactChange,
  getContacts,
  requestContactChange,
} from '#app/domain/account/contact-changes.server.ts'
import { answer, body, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'
import { HOLDS_SECRETS } from './idempotency.server.ts'
import { asking, atField } from './security.server.ts'

const tags = ['Users']

const list = createRoute({
  method: 'get',
  path: '/me/contacts',
  tags,
  summary: 'One’s own address and number, and what waits for a code',
  responses: { 200: answer(Contacts), ...refusals },
})

const request = createRoute({
  ...HOLDS_SECRETS,
  method: 'post',
  path: '/me/contacts',
  tags,
  summary: 'Send a code to a new address or number; needs the password',
  request: body(ContactChangeInput),
  responses: { 202: answer(Contacts), ...refusals },
})

const confirm = createRoute({
  ...HOLDS_SECRETS,
  method: 'post',
  path: '/me/contacts/confirm',
  tags,
  summary: 'The code that came there: from now on it is the person’s',
  request: body(ContactCode),
  responses: { 200: answer(Contacts), ...refusals },
})

export const contactsApi = createRouter()
  .openapi(list, async (c) => c.json(await getContacts(c.var.scope, asking(c)), 200))
  .openapi(request, async (c) => {
    const wish = requestContactChange(c.var.scope, asking(c), c.req.valid('json'))
    return c.json(await atField('password', wish), 202)
  })
  .openapi(confirm, async (c) => {
    const { kind, code } = c.req.valid('json')
    const why = await confirmContactChange(c.var.scope, kind, code)
    if (why) return c.json({ has_error: true as const, status: 422, detail: { code: [why] } }, 422)
    return c.json(await getContacts(c.var.scope, asking(c)), 200)
  })
