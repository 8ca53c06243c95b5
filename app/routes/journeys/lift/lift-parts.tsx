/** The parts of a lift in its form: blocks and questions, each edited separately. */

import type { MouseEvent, ReactNode } from 'react'
import { nameBlock } from '#app/domain/lifts/block-form.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { KIND_NAMES } from '#app/domain/lifts/prompt-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Button } from '#app/ui/button.tsx'
import { FormSection } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { useLiftAddress } from './address.ts'
import { BLOCK_NAMES } from './block-fields.tsx'
import { BlockAdditions, OpenPart, PromptAdditions } from './open-part.tsx'

type Part = {
  key: string | number
  kind: string
  name: string
  /** Its path below the lift's. */
  part: string
  fields: Record<string, number>
}

/** Blocks have no id: the key is made of the content, so that the focus follows a moved block. */
function keyOf(blocks: Lift['blocks'], place: number): string {
  const words = blocks.slice(0, place + 1).map((block) => JSON.stringify(block))
  const own = words.pop()
  return `${own} ${words.filter((one) => one === own).length}`
}

const blocksOf = ({ blocks, lock_version }: Lift): Part[] =>
  blocks.map((block, place) => ({
    key: keyOf(blocks, place),
    kind: BLOCK_NAMES[block.kind],
    name: nameBlock(block),
    part: `blocks/${place}`,
    fields: { lock_version },
  }))

const promptsOf = ({ prompts, lock_version }: Lift): Part[] =>
  prompts.map(({ id, kind, text, version }) => ({
    key: id,
    kind: KIND_NAMES[kind],
    name: text,
    part: `prompts/${id}`,
    fields: { version, lock_version },
  }))

export function LiftParts({ lift }: { lift: Lift }) {
  return (
    <>
      <FormSection
        title="Page"
        help="What the link in the message leads to. Opening a block or a question saves the lift. Moving or removing one does not."
      >
        <Parts parts={blocksOf(lift)} />
        <BlockAdditions />
      </FormSection>
      <FormSection title="Questions" help="Below the page, in this order.">
        <Parts parts={promptsOf(lift)} />
        <PromptAdditions />
      </FormSection>
    </>
  )
}

function Parts({ parts }: { parts: readonly Part[] }) {
  if (parts.length === 0) return null
  return (
    <ol className="people">
      {parts.map(({ key, kind, name, part }, place) => (
        <li key={key}>
          <span>
            <span className="people-mail">{kind}</span>{' '}
            <OpenPart part={part} className="text-button">
              <bdi>{name}</bdi>
            </OpenPart>
          </span>
          <span className="row-actions">
            <Way way="up" form={part} disabled={place === 0} name={name}>
              Up
            </Way>
            <Way way="down" form={part} disabled={place === parts.length - 1} name={name}>
              Down
            </Way>
            <Way way="remove" form={part} name={name}>
              Remove
            </Way>
          </span>
        </li>
      ))}
    </ol>
  )
}

/** The forms of these buttons, which cannot be inside the form of the lift. */
export function PartForms({ lift }: { lift: Lift }) {
  const { to } = useLiftAddress()
  return [...blocksOf(lift), ...promptsOf(lift)].map(({ part, fields }) => (
    <Form key={part} method="post" action={to(part)} id={part} preventScrollReset>
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
    </Form>
  ))
}

/** Keeps the focus on a button that has moved its part to an end of the list. */
const STUCK = { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }

export function Way({
  way,
  form,
  name,
  disabled = false,
  children,
}: {
  way: 'up' | 'down' | 'remove'
  /** The id of its form, if it is outside it. */
  form?: string
  name: string
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <Button
      type="submit"
      form={form}
      name="way"
      value={way}
      variant="ghost"
      {...(useHydrated() && disabled ? STUCK : { disabled })}
      {...(way === 'remove' ? { color: 'red' as const } : {})}
    >
      {children}
      <span className="hidden-words">{` ${isolated(name)}`}</span>
    </Button>
  )
}
