/** Moves a lift up or down in its journey. */
import { Form } from '@remix-run/react'
import { Way } from './lift-parts.tsx'

type Listed = { id: number; title: string }

export function MoveLift({ lift, lifts }: { lift: Listed; lifts: readonly Listed[] }) {
  const place = lifts.findIndex((one) => one.id === lift.id)
  return (
    <Form method="post" preventScrollReset className="row-actions">
      <input type="hidden" name="intent" value="move-lift" />
      <input type="hidden" name="id" value={lift.id} />
      <input type="hidden" name="lift_ids" value={lifts.map((one) => one.id).join(',')} />
      <Way way="up" name={lift.title} disabled={place === 0}>
        Up
      </Way>
      <Way way="down" name={lift.title} disabled={place === lifts.length - 1}>
        Down
      </Way>
    </Form>
  )
}
