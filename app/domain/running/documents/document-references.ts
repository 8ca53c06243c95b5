/** Checks the references within a journey's file: codes of objectives, numbers of lifts. */
import type { DocumentHead, DocumentLift } from './document.ts'
import type { Report } from './document-sections.ts'
import type { LineOf } from './document-yaml.ts'

/** The line of each part of the document, for later errors. */
export type Places = {
  head: LineOf
  lifts: { line: number; settings: LineOf; blocks: number[]; prompts: number[] }[]
}

/** References must resolve, and no lift may wait for itself or a later one. Invalid lifts count as well. */
export function checkReferences(
  head: DocumentHead,
  lifts: readonly (DocumentLift | null)[],
  places: Places,
  report: Report,
): void {
  const known = head.objectives.map((objective) => objective.code)
  const folded = known.map((code) => code.toLowerCase())
  for (const [index, code] of known.entries())
    if (folded.indexOf(code.toLowerCase()) < index)
      report(places.head(['objectives', index, 'code']), `Two objectives have the code “${code}”.`)
  for (const { code, line } of [...codesOfHead(head, places), ...codesOfLifts(lifts, places)])
    if (!known.includes(code)) report(line, `There is no objective “${code}” in the settings at the top.`)
  for (const [index, lift] of lifts.entries())
    if (lift?.schedule.kind === 'after_lift' && lift.schedule.lift > index)
      report(
        places.lifts[index]?.settings(['schedule', 'lift']) ?? 1,
        `“${lift.title}” waits for lift ${lift.schedule.lift}, which does not come before it.`,
      )
}

type Code = { code: string; line: number }

const codesOfHead = ({ assessments }: DocumentHead, places: Places): Code[] =>
  assessments.flatMap(({ items }, index) =>
    items.flatMap(({ objective }, at) =>
      objective === null
        ? []
        : [{ code: objective, line: places.head(['assessments', index, 'items', at, 'objective']) }],
    ),
  )

const codesOfLifts = (lifts: readonly (DocumentLift | null)[], places: Places): Code[] =>
  lifts.flatMap((lift, index) => {
    const place = places.lifts[index]
    if (!lift || !place) return []
    const own = lift.objectives.map((code) => ({ code, line: place.settings(['objectives']) }))
    const asked = lift.prompts.flatMap(({ objectives }, at) =>
      objectives.map((code) => ({ code, line: place.prompts[at] ?? place.line })),
    )
    return [...own, ...asked]
  })
