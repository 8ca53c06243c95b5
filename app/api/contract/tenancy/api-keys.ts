/** API keys for programs. People manage them; a key cannot create, see or revoke one. */
import { z } from 'zod'
import { callsAbout } from '#app/api/contract/call.ts'
import { oneId } from '#app/api/contract/parts.ts'
import { ApiKey, ApiKeyInput, ApiKeyPage, NewApiKey } from '#app/domain/api-keys/api-key.ts'
import { AuditQuery } from '#app/domain/audit/audit-event.ts'

const { get, post, remove } = callsAbout('API keys')

export const listApiKeys = get('/api_keys', {
  does: 'The keys of the company, or of the sub-tenant, newest first; never a secret',
  may: 'manage API keys',
  query: z.object({ page: AuditQuery.shape.page, per_page: AuditQuery.shape.per_page }),
  answers: ApiKeyPage,
})

export const createApiKey = post('/api_keys', {
  does: 'A new key; its secret is in this answer and nowhere else',
  may: 'create API keys',
  body: ApiKeyInput,
  answers: NewApiKey,
  status: 201,
  repeats: 'each time',
  perPerson: { name: 'api-keys', perMinute: 10 },
  audited: true,
})

export const getApiKey = get('/api_keys/{id}', {
  does: 'One key, without its secret',
  may: 'manage API keys',
  ids: oneId,
  answers: ApiKey,
})

export const revokeApiKey = remove('/api_keys/{id}', {
  does: 'Revoke a key: it stops working at once, for good',
  may: 'manage API keys',
  ids: oneId,
  answers: ApiKey,
  audited: true,
})
