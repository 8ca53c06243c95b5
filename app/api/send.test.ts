import { expect, it } from 'vitest'
import { getCurrentUser } from './contract/people/users.ts'
import { send } from './send.server.ts'

it('makes no call without a token', async () => {
  const made = { call: getCurrentUser, ids: {}, query: {}, body: undefined, options: {} }
  await expect(send(made, { token: '', tenant_id: '', principal: {} as never })).rejects.toThrow(
    'Token not found',
  )
})
