/** Lifts: written by authors, read and answered by learners. Below them, their questions. */
import { createRoute, z } from '@hono/zod-openapi'
import { Lift, LiftChange } from '#app/domain/lifts/lift.ts'
import { getLift } from '#app/domain/lifts/lifts.server.ts'
import { LiftPage, ResponsesInput, SendTestInput } from '#app/domain/lifts/page.ts'
import { getTestPage, openLiftPage } from '#app/domain/lifts/pages.server.ts'
import { Prompt, PromptChange, PromptInput } from '#app/domain/lifts/prompt.ts'
import { SeenQuery } from '#app/domain/optimistic-lock.ts'
import { deleteLift, updateLift } from '#app/domain/running/edit-lifts.server.ts'
import {
  createPrompt,
  deletePrompt,
  orderPrompts,
  PromptOrder,
  SeenPrompt,
  updatePrompt,
} from '#app/domain/running/edit-prompts.server.ts'
import { respond } from '#app/domain/running/respond.server.ts'
import { SendNowInput, sendNow } from '#app/domain/sending/send-now.server.ts'
import { listStillToSend } from '#app/domain/sending/send-now-recipients.server.ts'
import { StillToSend, StillToSendQuery } from '#app/domain/sending/send-now-recipients.ts'
import { sendTestMessages } from '#app/domain/sending/test-messages.server.ts'
import { answer, body, NOTHING, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Lifts']
const one = { params: z.object({ id: NumericId }) }

const show = createRoute({
  method: 'get',
  path: '/{id}',
  tags,
  summary: 'One lift with its questions, for its authors',
  request: one,
  responses: { 200: answer(Lift), ...refusals },
})

const update = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change a lift; what was sent keeps the version it was sent with',
  request: { ...one, ...body(LiftChange) },
  responses: { 200: answer(Lift), ...refusals },
})

const remove = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a lift, or retire one that was sent',
  request: { ...one, query: SeenQuery },
  responses: { 200: answer(NOTHING), ...refusals },
})

const addPrompt = createRoute({
  method: 'post',
  path: '/{id}/prompts',
  tags,
  summary: 'Add a question',
  request: { ...one, ...body(PromptInput) },
  responses: { 201: answer(Prompt, 'Created'), ...refusals },
})

const promptOrder = createRoute({
  method: 'patch',
  path: '/{id}/prompts/order',
  tags,
  summary: 'All questions of a lift in their new order',
  request: { ...one, ...body(PromptOrder) },
  responses: { 200: answer(Lift), ...refusals },
})

const page = createRoute({
  method: 'get',
  path: '/{id}/page',
  tags,
  summary: 'The lift as its learner sees it',
  request: one,
  responses: { 200: answer(LiftPage), ...refusals },
})

const testPage = createRoute({
  method: 'get',
  path: '/{id}/test_page',
  tags,
  summary: 'The lift as saved now; nothing is stored',
  request: one,
  responses: { 200: answer(LiftPage), ...refusals },
})

const answers = createRoute({
  method: 'post',
  path: '/{id}/responses',
  tags,
  summary: 'Answer questions of the lift; the same answer again changes nothing',
  request: { ...one, ...body(ResponsesInput) },
  responses: { 200: answer(LiftPage), ...refusals },
})

const Queued = z.object({ data: z.array(z.object({ phone: z.string(), state: z.literal('queued') })) })
const sendTest = createRoute({
  method: 'post',
  path: '/{id}/send_test',
  tags,
  summary: 'Send the lift as saved now to up to five phones',
  request: { ...one, ...body(SendTestInput) },
  responses: { 200: answer(Queued), ...refusals },
})

const send = createRoute({
  method: 'post',
  path: '/{id}/send_now',
  tags,
  summary: 'Send the lift now to chosen members, or to all who have not had it',
  request: { ...one, ...body(SendNowInput) },
  responses: { 200: answer(z.object({ planned: z.number().int() })), ...refusals },
})

const stillToSend = createRoute({
  method: 'get',
  path: '/{id}/send_now',
  tags,
  summary: 'Whom sending it now would reach, and how',
  request: { ...one, query: StillToSendQuery },
  responses: { 200: answer(StillToSend), ...refusals },
})

export const liftsApi = createRouter()
  .openapi(show, async (c) => c.json(await getLift(c.var.scope, c.req.valid('param').id), 200))
  .openapi(update, async (c) =>
    c.json(await updateLift(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(remove, async (c) => {
    await deleteLift(c.var.scope, c.req.valid('param').id, c.req.valid('query'))
    return c.json({}, 200)
  })
  .openapi(addPrompt, async (c) =>
    c.json(await createPrompt(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 201),
  )
  .openapi(promptOrder, async (c) =>
    c.json(await orderPrompts(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(page, async (c) => c.json(await openLiftPage(c.var.scope, c.req.valid('param').id), 200))
  .openapi(testPage, async (c) => c.json(await getTestPage(c.var.scope, c.req.valid('param').id), 200))
  .openapi(answers, async (c) =>
    c.json(await respond(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(sendTest, async (c) =>
    c.json(await sendTestMessages(c.var.scope, c.req.valid('param').id, c.req.valid('json').phones), 200),
  )
  .openapi(send, async (c) =>
    c.json(await sendNow(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(stillToSend, async (c) =>
    c.json(await listStillToSend(c.var.scope, c.req.valid('param').id, c.req.valid('query')), 200),
  )

const changePrompt = createRoute({
  method: 'put',
  path: '/{id}',
  tags,
  summary: 'Change a question; with `version`, only if nobody else did meanwhile',
  request: { ...one, ...body(PromptChange) },
  responses: { 200: answer(Prompt), ...refusals },
})

const removePrompt = createRoute({
  method: 'delete',
  path: '/{id}',
  tags,
  summary: 'Delete a question, or retire one that was answered',
  request: { ...one, query: SeenPrompt },
  responses: { 200: answer(NOTHING), ...refusals },
})

export const promptsApi = createRouter()
  .openapi(changePrompt, async (c) =>
    c.json(await updatePrompt(c.var.scope, c.req.valid('param').id, c.req.valid('json')), 200),
  )
  .openapi(removePrompt, async (c) => {
    await deletePrompt(c.var.scope, c.req.valid('param').id, c.req.valid('query'))
    return c.json({}, 200)
  })
