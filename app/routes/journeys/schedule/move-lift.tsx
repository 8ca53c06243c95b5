/** Moves the lifts of a journey up and down: one form around all of them, a button for each way. */
import type { ReactNode } from 'react'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Grip } from './grip.tsx'

export function MoveLifts({ order, children }: { order: number; children: ReactNode }) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="order_version" value={order} />
      {children}
    </Form>
  )
}

type MoveLiftProps = { lift: { id: number; title: string }; isFirst: boolean; isLast: boolean }

export function MoveLift({ lift, isFirst, isLast }: MoveLiftProps) {
  return (
    <span className="row-actions">
      <Grip lift={lift} isFirst={isFirst} isLast={isLast} />
      <button type="submit" className={PLAIN} name="up" value={lift.id} disabled={isFirst}>
        Up<span className="hidden-words">{` ${lift.title}`}</span>
      </button>
      <button type="submit" className={PLAIN} name="down" value={lift.id} disabled={isLast}>
        Down<span className="hidden-words">{` ${lift.title}`}</span>
      </button>
    </span>
  )
}

/** Radix's own look without its component, which costs more than the rest of the row. */
const PLAIN = 'rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-ghost'
