/** Buttons of a lift's form that save it and open one of its parts. */
import type { ReactNode } from 'react'
import { BLOCK_KINDS } from '#app/domain/lifts/block-form.ts'
import { PROMPT_KINDS } from '#app/domain/lifts/prompt.ts'
import { KIND_NAMES } from '#app/domain/lifts/prompt-form.ts'
import { BLOCK_NAMES } from './block-fields.tsx'

/** The id of the form; its buttons may be outside it. */
export const LIFT_FORM = 'lift'

/** `part`: its path below the lift's, `blocks/2` or `prompts/short_text`. */
type OpenPartProps = { part: string; className: string; children: ReactNode }

export function OpenPart({ part, className, children }: OpenPartProps) {
  return (
    <button type="submit" form={LIFT_FORM} className={className} name="open" value={part}>
      {children}
    </button>
  )
}

export const BlockAdditions = () => (
  <Additions
    label="Add to the page"
    things={BLOCK_KINDS.map((block) => ({ name: BLOCK_NAMES[block], part: `blocks/${block}` }))}
  />
)

export const PromptAdditions = () => (
  <Additions
    label="Add a question"
    things={PROMPT_KINDS.map((prompt) => ({ name: KIND_NAMES[prompt], part: `prompts/${prompt}` }))}
  />
)

function Additions({ label, things }: { label: string; things: readonly { name: string; part: string }[] }) {
  return (
    <p className="additions">
      {label}:{' '}
      {things.map(({ name, part }) => (
        <OpenPart key={name} className="chip" part={part}>
          {name}
        </OpenPart>
      ))}
    </p>
  )
}
