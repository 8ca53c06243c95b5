/** Moves the lifts of a journey up and down: one form around all of them, a button for each way. */
import type { ReactNode } from 'react'
import { isolated } from '#app/domain/text/isolated.ts'
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
      <button {...way(isFirst)} name="up" value={lift.id}>
        Up<span className="hidden-words">{` ${isolated(lift.title)}`}</span>
      </button>
      <button {...way(isLast)} name="down" value={lift.id}>
        Down<span className="hidden-words">{` ${isolated(lift.title)}`}</span>
      </button>
    </span>
  )
}

/** Radix's classes without its component, which would cost more than the rest of the row. */
const way = (disabled: boolean) => ({
  type: 'submit' as const,
  className: 'rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-ghost',
  disabled,
  'data-disabled': disabled || undefined,
})
