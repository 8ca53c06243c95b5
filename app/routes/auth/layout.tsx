import { Card } from '@radix-ui/themes'
import type { LinksFunction } from '@remix-run/node'
import { Outlet } from '@remix-run/react'
import { Bare } from '#app/ui/frame/bare.tsx'
import { BareError } from '#app/ui/frame/error-screen.tsx'
import stylesheet from './authenticator.css?url'

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

/** A single card with the logo above it. */
export default function SignInLayout() {
  return (
    <Bare>
      <Card size="4" className="sign-in">
        <Outlet />
      </Card>
    </Bare>
  )
}

export function ErrorBoundary() {
  return <BareError />
}
