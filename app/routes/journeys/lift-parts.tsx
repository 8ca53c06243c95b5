/** What a lift is made of, below its form: the parts of its page and its questions, each changed by itself. */
import { Button } from '@radix-ui/themes'
import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'
import { BLOCK_KINDS, nameBlock } from '#app/domain/lifts/block-form.ts'
import type { Lift } from '#app/domain/lifts/lift.ts'
import { PROMPT_KINDS } from '#app/domain/lifts/prompt.ts'
import { KIND_NAMES } from '#app/domain/lifts/prompt-form.ts'
import { Form } from '#app/ui/place-form.tsx'
import { useSearchLink } from '#app/ui/search.ts'
import { BLOCK_NAMES } from './block-editor.tsx'

export function LiftParts({ lift }: { lift: Lift }) {
  const link = useSearchLink()
  return (
    <div className="lift-parts">
      <p className="people-mail">
        Save the lift first if you changed something above: opening a part or a question leaves it.
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
              editHref={link({ block: String(place) })}
              intent="change-blocks"
              fields={{ place, lock_version: lift.lock_version }}
              isFirst={place === 0}
              isLast={place === lift.blocks.length - 1}
            />
          ))}
        </ol>
        <Additions
          label="Add to the page"
          things={BLOCK_KINDS.map((kind) => ({ name: BLOCK_NAMES[kind], href: link({ block: kind }) }))}
        />
      </section>
      <section aria-labelledby="prompts" className="stack">
        <h3 id="prompts">Questions</h3>
        <ol className="people">
          {lift.prompts.map((prompt, place) => (
            <Part
              key={prompt.id}
              kind={KIND_NAMES[prompt.kind]}
              name={prompt.text}
              editHref={link({ prompt: String(prompt.id) })}
              intent="change-prompts"
              fields={{ id: prompt.id, version: prompt.version, lock_version: lift.lock_version }}
              isFirst={place === 0}
              isLast={place === lift.prompts.length - 1}
            />
          ))}
        </ol>
        <Additions
          label="Add a question"
          things={PROMPT_KINDS.map((kind) => ({ name: KIND_NAMES[kind], href: link({ prompt: kind }) }))}
        />
      </section>
    </div>
  )
}

type PartProps = {
  kind: string
  name: string
  editHref: string
  intent: string
  fields: Record<string, number>
  isFirst: boolean
  isLast: boolean
}

function Part({ kind, name, editHref, intent, fields, isFirst, isLast }: PartProps) {
  return (
    <li>
      <span>
        <span className="people-mail">{kind}</span> <Link to={editHref}>{name}</Link>
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

function Additions({ label, things }: { label: string; things: readonly { name: string; href: string }[] }) {
  return (
    <p className="additions">
      {label}:{' '}
      {things.map(({ name, href }) => (
        <Link key={name} className="chip" to={href} preventScrollReset>
          {name}
        </Link>
      ))}
    </p>
  )
}
