/** Who takes part in a journey; below the path of the journeys. */
import { createRoute, z } from '@hono/zod-openapi'
import { changeMembers } from '#app/domain/participants/changing.server.ts'
import { importMembers } from '#app/domain/participants/importing.server.ts'
import {
  Member,
  MemberPage,
  MemberQuery,
  MembersAdded,
  MembersChange,
  MembersImport,
  MembersImported,
  MembersInput,
  RemoveMemberQuery,
  Sponsors,
} from '#app/domain/participants/member.ts'
import { addMembers, listMembers, removeMember } from '#app/domain/participants/members.server.ts'
import { listSponsors } from '#app/domain/participants/sponsors.server.ts'
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

const change = createRoute({
  method: 'patch',
  path: '/{id}/members',
  tags,
  summary: 'Change members: whether they count, their sponsor, their role, their return',
  request: { ...all, ...body(MembersChange) },
  responses: { 200: answer(z.object({ data: z.array(Member) })), ...refusals },
})

const fromTable = createRoute({
  method: 'post',
  path: '/{id}/members/import',
  tags,
  summary: 'Add and change members from a table (CSV); a dry run says what would happen',
  request: { ...all, ...body(MembersImport) },
  responses: { 200: answer(MembersImported), ...refusals },
})

const sponsors = createRoute({
  method: 'get',
  path: '/{id}/sponsors',
  tags,
  summary: 'The sponsors of a journey, each with their learners',
  request: all,
  responses: { 200: answer(Sponsors), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}/members/{memberId}',
  tags,
  summary: 'Remove a member: what is unsent is cancelled, answers stay',
  request: { params: z.object({ id: NumericId, memberId: NumericId }), query: RemoveMemberQuery },
  responses: { 200: answer(NOTHING), ...refusals },
})

export const membersApi = createRouter()
  .openapi(list, async (c) =>
    c.json(await listMembers(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )
  .openapi(add, async (c) =>
    c.json(await addMembers(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .openapi(change, async (c) =>
    c.json({ data: await changeMembers(c.var.scope, c.req.valid('param').id, c.req.valid('json')) }, 200),
  )
  .openapi(fromTable, async (c) =>
    c.json(await importMembers(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(sponsors, async (c) =>
    c.json({ data: await listSponsors(c.var.scope, c.req.valid('param').id) }, 200),
  )
  .openapi(remove, async (c) => {
    const { id, memberId } = c.req.valid('param')
    await removeMember(c.var.scope, id, memberId, c.req.valid('query').successor_id)
    return c.json({}, 200)
  })
