import { Card } from '@radix-ui/themes'
import { Outlet } from '@remix-run/react'
import { Bare } from '#app/ui/bare.tsx'
import { BareError } from '#app/ui/error-screen.tsx'

/** One card, the mark above it, nothing else. */
export default function SignInLayout() {
  return (
    <Bare>
      <Card size="4">
        <Outlet />
      </Card>
    </Bare>
  )
}

export function ErrorBoundary() {
  return <BareError />
}
