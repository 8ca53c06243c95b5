/** The pages inside the frame, and the screen when one of them fails. */
import { Outlet } from '@remix-run/react'
import type { ComponentProps } from 'react'
import { BareError, RouteErrorScreen } from './error-screen.tsx'
import { Shell } from './shell.tsx'

type Frame = Omit<ComponentProps<typeof Shell>, 'children'>

export const Framed = ({ frame }: { frame: Frame }) => (
  <Shell {...frame}>
    <Outlet />
  </Shell>
)

/** A failing page keeps the frame around it, if the frame itself could be loaded. */
export function FramedError({ frame }: { frame: Frame | undefined }) {
  if (!frame) return <BareError />
  return (
    <Shell {...frame}>
      <RouteErrorScreen />
    </Shell>
  )
}
