/** The parts of a lift below its form: blocks and questions, each edited separately. */

import type { MouseEvent, ReactNode } from 'react'
import { nameBlock } from '#app/domain/lifts/block-form.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { KIND_NAMES } from '#app/domain/lifts/prompt-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useHydrated } from '#app/ui/hydrated.ts'
import { useLiftAddress } from './address.ts'
import { BLOCK_NAMES } from './block-fields.tsx'
import { BlockAdditions, OpenPart, PromptAdditions } from './open-part.tsx'

/** Blocks have no id: the key is made of the content, so that the focus follows a moved block. */
function keyOf(blocks: Lift['blocks'], place: number): string {
  const words = blocks.slice(0, place + 1).map((block) => JSON.stringify(block))
  const own = words.pop()
  return `${own} ${words.filter((one) => one === own).length}`
}

export function LiftParts({ lift }: { lift: Lift }) {
  return (
    <div className="lift-parts">
      <p className="people-mail">
        Opening a block or a question saves the lift. Moving or removing one does not.
      </p>
      <section aria-labelledby="blocks" className="stack">
        <h2 id="blocks">Page</h2>
        <ol className="people">
          {lift.blocks.map((block, place) => (
            <Part
              key={keyOf(lift.blocks, place)}
              kind={BLOCK_NAMES[block.kind]}
              name={nameBlock(block)}
              part={`blocks/${place}`}
              fields={{ lock_version: lift.lock_version }}
              isFirst={place === 0}
              isLast={place === lift.blocks.length - 1}
            />
          ))}
        </ol>
        <BlockAdditions />
      </section>
      <section aria-labelledby="prompts" className="stack">
        <h2 id="prompts">Questions</h2>
        <ol className="people">
          {lift.prompts.map((prompt, place) => (
            <Part
              key={prompt.id}
              kind={KIND_NAMES[prompt.kind]}
              name={prompt.text}
              part={`prompts/${prompt.id}`}
              fields={{ version: prompt.version, lock_version: lift.lock_version }}
              isFirst={place === 0}
              isLast={place === lift.prompts.length - 1}
            />
          ))}
        </ol>
        <PromptAdditions />
      </section>
    </div>
  )
}

type PartProps = {
  kind: string
  name: string
  /** Its path below the lift's. */
  part: string
  fields: Record<string, number>
  isFirst: boolean
  isLast: boolean
}

function Part({ kind, name, part, fields, isFirst, isLast }: PartProps) {
  const { to } = useLiftAddress()
  return (
    <li>
      <span>
        <span className="people-mail">{kind}</span>{' '}
        <OpenPart part={part} className="text-button">
          <bdi>{name}</bdi>
        </OpenPart>
      </span>
      <Form method="post" action={to(part)} preventScrollReset className="row-actions">
        {Object.entries(fields).map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <Way way="up" disabled={isFirst} name={name}>
          Up
        </Way>
        <Way way="down" disabled={isLast} name={name}>
          Down
        </Way>
        <Way way="remove" name={name}>
          Remove
        </Way>
      </Form>
    </li>
  )
}

/** Keeps the focus on a button that has moved its part to an end of the list. */
const STUCK = { 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() }

export function Way({
  way,
  name,
  disabled = false,
  children,
}: {
  way: 'up' | 'down' | 'remove'
  name: string
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <Button
      type="submit"
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
