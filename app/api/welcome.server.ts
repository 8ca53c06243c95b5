/** Inviting people once more. */
import { createRoute, z } from '@hono/zod-openapi'
import { WelcomeAnswer, WelcomeInput } from '#app/domain/users/user.ts'
import { resendWelcome, resendWelcomes } from '#app/domain/users/welcome.server.ts'
import { answer, body, NumericId, refusals } from './answers.server.ts'
import { createRouter } from './env.server.ts'

const tags = ['Users']

const one = createRoute({
  method: 'post',
  path: '/resend-welcome-email/{id}',
  tags,
  summary: 'Invite a person once more',
  request: { params: z.object({ id: NumericId }) },
  responses: { 200: answer(WelcomeAnswer.shape.data.element), ...refusals },
})

const many = createRoute({
  method: 'post',
  path: '/resend-welcome-email',
  tags,
  summary: 'Invite people once more; says of each what became of it',
  request: body(WelcomeInput),
  responses: { 200: answer(WelcomeAnswer), ...refusals },
})

export const welcomeApi = createRouter()
  .openapi(one, async (c) => c.json(await resendWelcome(c.var.scope, c.req.valid('param').id), 200))
  .openapi(many, async (c) => c.json(await resendWelcomes(c.var.scope, c.req.valid('json').user_ids), 200))
