import { data, type MetaFunction } from '@remix-run/node'
import { Bare } from '#app/ui/frame/bare.tsx'
import { NotFoundScreen } from '#app/ui/frame/error-screen.tsx'

export const meta: MetaFunction = () => [{ title: 'Not Found · Liftwell' }]

/** Every address that `routes.ts` does not name. */
export function loader() {
  return data(null, { status: 404 })
}

export function action() {
  throw data({ detail: 'Not Found' }, { status: 404 })
}

export default function NotFound() {
  return (
    <Bare>
      <NotFoundScreen />
    </Bare>
  )
}
