import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { Page } from '#app/ui/page.tsx'

export const meta: MetaFunction = () => [{ title: 'Add user · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  await requireDashboard(args)
  return null
}

export default function AddUser() {
  return (
    <Page title="Add user" narrow>
      <p>
        This is where a colleague is invited: by name and e-mail address, with the roles they are to have.
      </p>
    </Page>
  )
}
