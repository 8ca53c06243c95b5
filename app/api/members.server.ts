/** Who takes part in a journey; below the path of the journeys. */
import { createRoute, z } from '@hono/zod-openapi'
import { MemberPage, MemberQuery, MembersAdded, MembersInput } from '#app/domain/members/member.ts'
import { addMembers, listMembers, removeMember } from '#app/domain/members/members.server.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Members']
const all = { params: z.object({ id: NumericId }) }

const list = createRoute({
  method: 'get',
  path: '/{id}/members',
  tags,
  summary: 'A page of the members of a journey',
  request: { ...all, query: MemberQuery },
  responses: { 200: answer(MemberPage), ...refusals },
})

const add = createRoute({
  method: 'post',
  path: '/{id}/members',
  tags,
  summary: 'Add people; who takes part already stays as they are',
  request: { ...all, ...body(MembersInput) },
  responses: { 201: answer(MembersAdded, 'Added'), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}/members/{memberId}',
  tags,
  summary: 'Remove a member: what is unsent is cancelled, answers stay',
  request: { params: z.object({ id: NumericId, memberId: NumericId }) },
  responses: { 200: answer(NOTHING), ...refusals },
})

export const membersApi = createRouter()
  .openapi(list, async (c) =>
    c.json(await listMembers(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )
  .openapi(add, async (c) =>
    c.json(await addMembers(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .openapi(remove, async (c) => {
    const { id, memberId } = c.req.valid('param')
    await removeMember(c.var.scope, id, memberId)
    return c.json({}, 200)
  })
