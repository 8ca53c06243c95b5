import type { LinksFunction, LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { getCurrentUser } from '#app/api/contract/people/users.ts'
import { chooseFirst, requireLift } from '#app/routes/guards.server.ts'
import { orKept } from '#app/routes/kept-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Drawn, markFor } from '#app/ui/form/scoped-form.tsx'
import { Bare } from '#app/ui/frame/bare.tsx'
import { brandOf } from '#app/ui/frame/brand.tsx'
import { BareError } from '#app/ui/frame/error-screen.tsx'
import { Screen } from '#app/ui/frame/screen.tsx'
import stylesheet from './lift.css?url'

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api, should_enter_subtenant } = await requireLift(args)
  if (should_enter_subtenant) throw chooseFirst(args.request)
  const user = await orKept(args, api(getCurrentUser))
  const { name, logo } = brandOf(user)
  return { name, logo, mark: markFor(user) }
}

/** The page of a lift has only the company's name and logo around it: three minutes on a phone. */
export default function LiftLayout() {
  const { name, logo, mark } = useLoaderData<typeof loader>()
  return (
    <Bare name={name} logo={logo} reading>
      <Drawn mark={mark}>
        <Outlet />
      </Drawn>
    </Bare>
  )
}

export function ErrorBoundary() {
  return (
    <BareError
      notFound={
        <Screen title="Not Found" hint={NOT_THERE}>
          <ButtonLink to="/todo">Your to-do list</ButtonLink>
        </Screen>
      }
    />
  )
}

const NOT_THERE =
  'This lift doesn’t exist, or it isn’t one of yours. If you came by a link, a part of it may be missing: open it in your message again.'
