/** What a lift is made of, below its form: the parts of its page and its questions, each changed by itself. */
import { Button } from '@radix-ui/themes'
import type { ReactNode } from 'react'
import { nameBlock } from '#app/domain/lifts/block-form.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { KIND_NAMES } from '#app/domain/lifts/prompt-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { BLOCK_NAMES } from './block-editor.tsx'
import { BlockAdditions, type Opened, PromptAdditions, SaveAndOpen } from './lift-openers.tsx'

export function LiftParts({ lift }: { lift: Lift }) {
  return (
    <div className="lift-parts">
      <p className="people-mail">
        Opening a part or a question saves the lift first. Moving or removing one does not.
      </p>
      <section aria-labelledby="blocks" className="stack">
        <h3 id="blocks">Page</h3>
        <ol className="people">
          {lift.blocks.map((block, place) => (
            <Part
              // biome-ignore lint/suspicious/noArrayIndexKey: a block's place is its name
              key={place}
              kind={BLOCK_NAMES[block.kind]}
              name={nameBlock(block)}
              open={{ block: String(place) }}
              intent="change-blocks"
              fields={{ place, lock_version: lift.lock_version }}
              isFirst={place === 0}
              isLast={place === lift.blocks.length - 1}
            />
          ))}
        </ol>
        <BlockAdditions />
      </section>
      <section aria-labelledby="prompts" className="stack">
        <h3 id="prompts">Questions</h3>
        <ol className="people">
          {lift.prompts.map((prompt, place) => (
            <Part
              key={prompt.id}
              kind={KIND_NAMES[prompt.kind]}
              name={prompt.text}
              open={{ prompt: String(prompt.id) }}
              intent="change-prompts"
              fields={{ id: prompt.id, version: prompt.version, lock_version: lift.lock_version }}
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
  open: Opened
  intent: string
  fields: Record<string, number>
  isFirst: boolean
  isLast: boolean
}

function Part({ kind, name, open, intent, fields, isFirst, isLast }: PartProps) {
  return (
    <li>
      <span>
        <span className="people-mail">{kind}</span>{' '}
        <SaveAndOpen open={open} className="text-button">
          {name}
        </SaveAndOpen>
      </span>
      <Form method="post" preventScrollReset className="row-actions">
        <input type="hidden" name="intent" value={intent} />
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
      disabled={disabled}
      {...(way === 'remove' ? { color: 'red' as const } : {})}
    >
      {children}
      <span className="hidden-words"> {name}</span>
    </Button>
  )
}
