/** A part of a lift at its own address: its form, unless something is asked about it first or it no longer exists. */
import type { ComponentProps, ReactNode } from 'react'
import { useRefused } from '#app/ui/form/refused.ts'
import { ConfirmChange, useAsked } from '../impact-question.tsx'
import { NotThere } from '../not-there.tsx'
import { useLiftAddress } from './address.ts'
import { LiftPage } from './lift-page.tsx'

type PartPageProps = Omit<ComponentProps<typeof LiftPage>, 'title'> & {
  part: 'block' | 'question'
  /** Whether it exists and can be edited. */
  isOpen: boolean
  children: ReactNode
}

export function PartPage({ part, isOpen, children, ...shown }: PartPageProps) {
  const { lift } = shown
  const { lift: back, schedule } = useLiftAddress()
  const { again } = useAsked()
  const { lastResult } = useRefused()
  if (again && lift)
    return (
      <LiftPage {...shown} title={lift.title}>
        <ConfirmChange
          title={again.way === 'remove' ? `Remove this ${part} from ${lift.title}?` : `Change ${lift.title}?`}
          cancelHref={back}
        />
      </LiftPage>
    )
  // The input is shown again even if it can no longer be saved.
  if (lastResult || isOpen) return children
  return (
    <LiftPage {...shown} title={lift?.title ?? 'Lift not found'}>
      <NotThere what={`This ${lift ? part : 'lift'} no longer exists.`} back={lift ? back : schedule}>
        {lift ? 'Back to the lift' : 'Back to the schedule'}
      </NotThere>
    </LiftPage>
  )
}
