import { expect, it } from 'vitest'
import { createPasswords } from './passwords.server.ts'

it('Password hashing refuses a request when 200 others are already waiting', async () => {
  const passwords = await createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 })
  const crowd = Array.from({ length: 203 }, (_, nth) => passwords.hash(`Blue-Horse-${nth}`))
  const refused = (await Promise.allSettled(crowd)).filter(({ status }) => status === 'rejected')
  expect(refused).toMatchObject([{ reason: { name: 'LimitExceededException' } }])
})
