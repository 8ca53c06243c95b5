/** What leads from a lift's form to one of its parts: buttons of that form, which is saved first. */
import { useLocation } from '@remix-run/react'
import type { ReactNode } from 'react'
import { BLOCK_KINDS } from '#app/domain/lifts/block-form.ts'
import { PROMPT_KINDS } from '#app/domain/lifts/prompt.ts'
import { KIND_NAMES } from '#app/domain/lifts/prompt-form.ts'
import { useSearchLink } from '#app/ui/search.ts'
import { BLOCK_NAMES } from './block-editor.tsx'

/** The id of the form; its buttons may stand outside it. */
export const LIFT_FORM = 'lift'

/** What is opened once the lift is saved, as the address names it. */
export type Opened = { block: string } | { prompt: string }

type SaveAndOpenProps = { open: Opened; className: string; children: ReactNode }

export function SaveAndOpen({ open, className, children }: SaveAndOpenProps) {
  const link = useSearchLink()
  const { pathname } = useLocation()
  const [[name, value] = ['', '']] = Object.entries(open)
  return (
    <button
      type="submit"
      form={LIFT_FORM}
      className={className}
      name="intent"
      value="save-lift"
      formAction={`${pathname}${link({ open: `${name}.${value}` })}`}
    >
      {children}
    </button>
  )
}

export const BlockAdditions = () => (
  <Additions
    label="Add to the page"
    things={BLOCK_KINDS.map((block) => ({ name: BLOCK_NAMES[block], open: { block } }))}
  />
)

export const PromptAdditions = () => (
  <Additions
    label="Add a question"
    things={PROMPT_KINDS.map((prompt) => ({ name: KIND_NAMES[prompt], open: { prompt } }))}
  />
)

function Additions({ label, things }: { label: string; things: readonly { name: string; open: Opened }[] }) {
  return (
    <p className="additions">
      {label}:{' '}
      {things.map(({ name, open }) => (
        <SaveAndOpen key={name} className="chip" open={open}>
          {name}
        </SaveAndOpen>
      ))}
    </p>
  )
}
