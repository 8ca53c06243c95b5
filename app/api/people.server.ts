/** The people of a tenant. */
import { createRoute, z } from '@hono/zod-openapi'
import { requirePasswordReset, takeSecondFactor } from '#app/domain/account/others-security.server.ts'
import { NumberList, pageQuery } from '#app/domain/page.ts'
import { deleteUser, setActivation } from '#app/domain/users/activation.server.ts'
import { createUser, updateUser } from '#app/domain/users/changing.server.ts'
import { exportUsers } from '#app/domain/users/export.server.ts'
import { ActivationInput, USER_ORDERS, USER_ROLES, User } from '#app/domain/users/user.ts'
import { UserChange, UserInput } from '#app/domain/users/user-input.ts'
import { FilterValues, ofEachFilter, UserPage } from '#app/domain/users/user-search.ts'
import { getUser, listUsersWithFacets } from '#app/domain/users/users.server.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Users']
const one = { params: z.object({ id: NumericId }) }

/** One value of a query, or several of the same name. */
const several = (given: unknown) => (given === undefined ? [] : [given].flat())

const query = pageQuery(USER_ORDERS).extend({
  role: z
    .preprocess(several, z.array(z.enum(USER_ROLES)).max(10))
    .openapi({ type: 'array', items: { type: 'string', enum: [...USER_ROLES] } }),
  user_ids: NumberList.optional(),
  ...ofEachFilter(() =>
    z.preprocess(several, FilterValues).openapi({ type: 'array', items: { type: 'string' } }),
  ),
})

const list = createRoute({
  method: 'get',
  path: '/',
  tags,
  summary: 'A page of the people of the current tenant',
  request: { query },
  responses: { 200: answer(UserPage), ...refusals },
})

const create = createRoute({
  method: 'post',
  path: '/',
  tags,
  summary: 'Add a person, and invite them',
  request: body(UserInput),
  responses: { 201: answer(User), ...refusals },
})

const download = createRoute({
  method: 'get',
  path: '/export',
  tags,
  summary: 'The people of the list as a CSV file',
  request: { query: query.omit({ page: true, per_page: true }) },
  responses: {
    200: { description: 'CSV', content: { 'text/csv': { schema: z.string() } } },
    ...refusals,
  },
})

const show = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  summary: 'One person',
  request: one,
  responses: { 200: answer(User), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change a person; what is left out stays',
  request: { ...one, ...body(UserChange) },
  responses: { 200: answer(User), ...refusals },
})

const activate = createRoute({
  method: 'patch',
  path: '/{id}/activation',
  tags,
  summary: 'Take an account out of use, or back into use; whoever is disabled is logged out',
  request: { ...one, ...body(ActivationInput) },
  responses: { 200: answer(User), ...refusals },
})

const takeFactor = createRoute({
  method: 'delete',
  path: '/{id}/second_factor',
  tags,
  summary: 'Take a second factor away, for a lost phone; the person is logged out everywhere, and told',
  request: one,
  responses: { 202: answer(NOTHING), ...refusals },
})

const resetPassword = createRoute({
  method: 'post',
  path: '/{id}/password_reset',
  tags,
  summary: 'Ask for a new password at the next sign-in; the person is logged out everywhere, and told',
  request: one,
  responses: { 202: answer(NOTHING), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a person who takes part in nothing',
  request: one,
  responses: { 200: answer(NOTHING), ...refusals },
})

export const peopleApi = createRouter()
  .openapi(list, async (c) => c.json(await listUsersWithFacets(c.var.scope, c.req.valid('query')), 200))
  .openapi(create, async (c) => c.json(await createUser(c.var.scope, c.req.valid('json')), 201))
  .openapi(download, async (c) =>
    c.body(await exportUsers(c.var.scope, c.req.valid('query')), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="users.csv"',
    }),
  )
  .openapi(show, async (c) => c.json(await getUser(c.var.scope, c.req.valid('param').id), 200))
  .openapi(update, async (c) =>
    c.json(await updateUser(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(activate, async (c) => {
    const { activation_status } = c.req.valid('json')
    return c.json(await setActivation(c.var.scope, c.req.valid('param').id, activation_status), 200)
  })
  .openapi(takeFactor, async (c) => {
    await takeSecondFactor(c.var.scope, c.req.valid('param').id)
    return c.json({}, 202)
  })
  .openapi(resetPassword, async (c) => {
    await requirePasswordReset(c.var.scope, c.req.valid('param').id)
    return c.json({}, 202)
  })
  .openapi(remove, async (c) => {
    await deleteUser(c.var.scope, c.req.valid('param').id)
    return c.json({}, 200)
  })
