import type { Assessment } from '#app/domain/assessments/assessment.ts'
import { readAssessments } from '#app/domain/assessments/assessments.server.ts'
import type { FileStore } from '#app/domain/files/store.ts'
import { JourneyInput } from '#app/domain/journeys/journey.ts'
import { getJourney } from '#app/domain/journeys/journeys.server.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { listLifts } from '#app/domain/lifts/lifts.server.ts'
import type { ScheduleRule } from '#app/domain/lifts/schedule-rule.ts'
import type { Objective } from '#app/domain/objectives/objective.ts'
import { listObjectives } from '#app/domain/objectives/objectives.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'
import type { DocumentAssessment, DocumentLift, DocumentRule, JourneyDocument } from './document.ts'
import { writeDocument } from './document-writing.ts'
import { takeAlong } from './pictures.server.ts'

const FIELDS = Object.keys(JourneyInput.shape) as (keyof JourneyInput)[]

/** Retired lifts and questions are not exported. */
export async function exportJourney(scope: Scope, id: number): Promise<JourneyDocument> {
  const journey = await getJourney(scope, id)
  const objectives = await listObjectives(scope, id)
  const lifts = (await listLifts(scope, id)).filter((lift) => lift.status !== 'retired')
  const settings = Object.fromEntries(FIELDS.map((field) => [field, journey[field]])) as JourneyInput
  return {
    head: {
      ...settings,
      objectives: objectives.map(({ code, text, target_level }) => ({ code, text, target_level })),
      assessments: (await readAssessments(scope, id))
        .filter((assessment) => !assessment.is_retired)
        .map((assessment) => toDocumentAssessment(assessment, objectives)),
    },
    lifts: lifts.map((lift) => toDocument(lift, lifts, objectives)),
  }
}

export async function writeJourneyFile(scope: Scope, id: number, store: FileStore | null) {
  const document = await exportJourney(scope, id)
  const pictures = await takeAlong(scope, document, store)
  return { name: document.head.name, text: writeDocument({ ...document, pictures }) }
}

function toDocumentAssessment(
  { name, phase, raters, opens, closes, anonymous_min, items }: Assessment,
  objectives: readonly Objective[],
): DocumentAssessment {
  return {
    ...{ name, phase, raters, opens, closes, anonymous_min },
    items: items.map(({ id: _id, objective_id, ...item }) => ({
      ...item,
      objective: objectives.find((objective) => objective.id === objective_id)?.code ?? null,
    })),
  }
}

function toDocument(lift: Lift, lifts: readonly Lift[], objectives: readonly Objective[]): DocumentLift {
  const codes = (ids: readonly number[]) =>
    objectives.filter((objective) => ids.includes(objective.id)).map((objective) => objective.code)
  return {
    title: lift.title,
    status: lift.status === 'ready' ? 'ready' : 'draft',
    sms_text: lift.sms_text,
    email_subject: lift.email_subject,
    schedule: toDocumentRule(lift.schedule, lifts),
    required: lift.required,
    completion_rule: lift.completion_rule,
    closes_after_hours: lift.closes_after_hours,
    est_minutes: lift.est_minutes,
    objectives: codes(lift.objective_ids),
    blocks: lift.blocks,
    prompts: lift.prompts.map((prompt) => ({
      kind: prompt.kind,
      text: prompt.text,
      help: prompt.help,
      options: prompt.options
        .filter((option) => !option.retired)
        .map(({ retired: _retired, ...option }) => option),
      target: prompt.target,
      scoring: prompt.scoring,
      max_score: prompt.max_score,
      required: prompt.required,
      visibility: prompt.visibility,
      objectives: codes(prompt.objective_ids),
    })),
  }
}

function toDocumentRule(rule: ScheduleRule, lifts: readonly Lift[]): DocumentRule {
  if (rule.kind !== 'after_lift') return rule
  const lift = lifts.findIndex((one) => one.id === rule.lift_id) + 1
  // The lift that it waited for is not exported, so it has to be sent manually.
  if (lift === 0) return { kind: 'manual', at_launch: false }
  return { kind: 'after_lift', lift, min_hours: rule.min_hours }
}
