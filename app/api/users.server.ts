/** Oneself, and how one signs in. */
import { createRoute } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { shouldEnterSubTenant } from '#app/auth/actor.server.ts'
import { updateProfile } from '#app/domain/account/profile.server.ts'
import { ProfileInput } from '#app/domain/account/profile.ts'
import { getCurrentUser } from '#app/domain/users/current-user.server.ts'
import { CurrentUser } from '#app/domain/users/current-user.ts'
import { PoolConfiguration, PoolQuery } from '#app/domain/users/pool.ts'
import { findPool } from '#app/domain/users/pools.server.ts'
import { answer, body, refusals } from './answers.server.ts'
import { type ApiEnv, createRouter } from './env.server.ts'
import { asking, atField } from './security.server.ts'

const tags = ['Users']

const me = createRoute({
  method: 'get',
  path: '/me',
  tags,
  summary: 'The person who is signed in',
  responses: { 200: answer(CurrentUser), ...refusals },
})

const updateMe = createRoute({
  method: 'put',
  path: '/me',
  tags,
  summary:
    'Change one’s own profile, or accept the terms; what is left out stays. Taking the number away needs the password',
  request: body(ProfileInput),
  responses: { 200: answer(CurrentUser), ...refusals },
})

const mustChoose = (c: Context<ApiEnv>) => shouldEnterSubTenant(c.var.principal, c.var.actor.sub_tenant_id)

export const usersApi = createRouter()
  .openapi(me, async (c) => c.json(await getCurrentUser(c.var.scope, mustChoose(c)), 200))
  .openapi(updateMe, async (c) => {
    const saving = updateProfile(c.var.scope, asking(c), c.req.valid('json'), mustChoose(c))
    return c.json(await atField('password', saving), 200)
  })

const pool = createRoute({
  method: 'get',
  path: '/pool',
  tags,
  summary: 'How somebody with this e-mail address signs in',
  security: [],
  request: { query: PoolQuery },
  responses: { 200: answer(PoolConfiguration), 422: refusals[422] },
})

const postPool = createRoute({
  method: 'post',
  path: '/pool',
  tags,
  summary: 'The same, with the address kept out of logs',
  security: [],
  request: body(PoolQuery),
  responses: { 200: answer(PoolConfiguration), 422: refusals[422] },
})

/** Answered before anyone is known. */
export const poolApi = createRouter()
  .openapi(pool, async (c) => c.json(await findPool(c.var.database, c.req.valid('query').email), 200))
  .openapi(postPool, async (c) => c.json(await findPool(c.var.database, c.req.valid('json').email), 200))
