/** A lift: one short learning moment of a journey, sent at its time as a link. */
import { z } from 'zod'
import { line, requiredLine, STORABLE } from '#app/domain/text/text.ts'
import { Block, Blocks } from './blocks.ts'
import { Prompt } from './prompt.ts'
import { ScheduleRule } from './schedule-rule.ts'

export const LIFT_STATUSES = ['draft', 'ready', 'retired'] as const

/** A message template: several lines, at most what three segments can hold. */
const message = z
  .string()
  .max(600, 'Please use at most 600 characters')
  .regex(...STORABLE)
  .transform((text) => text.replace(/\r\n?/g, '\n').trim())

const fields = {
  title: requiredLine(80),
  sms_text: message,
  email_subject: line(200),
  blocks: Blocks,
  required: z.boolean(),
  completion_rule: z.enum(['all_required_prompts', 'viewed_and_confirmed']),
  schedule: ScheduleRule,
  closes_after_hours: z.number().int().min(1).max(8760).nullable(),
  est_minutes: z.number().int().min(1).max(120),
  status: z.enum(LIFT_STATUSES),
  objective_ids: z.array(z.number().int().positive()).max(50),
}

export const LiftInput = z.strictObject(fields).partial().extend({ title: fields.title })
export type LiftInput = z.infer<typeof LiftInput>

export const LiftChange = z
  .strictObject(fields)
  .partial()
  .extend({ lock_version: z.number().int().min(0) })
export type LiftChange = z.infer<typeof LiftChange>

export const Lift = z.object({
  id: z.number().int(),
  journey_id: z.number().int(),
  position: z.number().int(),
  title: z.string(),
  sms_text: z.string(),
  email_subject: z.string(),
  blocks: z.array(Block),
  required: z.boolean(),
  completion_rule: z.enum(['all_required_prompts', 'viewed_and_confirmed']),
  schedule: ScheduleRule,
  closes_after_hours: z.number().int().nullable(),
  est_minutes: z.number().int(),
  status: z.enum(LIFT_STATUSES),
  version: z.number().int(),
  prompts: z.array(Prompt),
  objective_ids: z.array(z.number().int()),
  created_on: z.string(),
  updated_on: z.string(),
  lock_version: z.number().int(),
})
export type Lift = z.infer<typeof Lift>

export const LiftName = Lift.pick({ id: true, position: true, title: true, status: true })
export type LiftName = z.infer<typeof LiftName>

/** The content of a version: an occurrence refers to the version that its message announced. */
export const LiftContent = Lift.pick({
  title: true,
  sms_text: true,
  email_subject: true,
  blocks: true,
  required: true,
  completion_rule: true,
  est_minutes: true,
  prompts: true,
})
export type LiftContent = z.infer<typeof LiftContent>

/** All lifts of the journey, each once, in their new order; `order_version` is the version of the order that was changed. */
export const LiftOrder = z.object({
  lift_ids: z.array(z.number().int().positive()).max(500),
  order_version: z.number().int().min(0).optional(),
})
export type LiftOrder = z.infer<typeof LiftOrder>
