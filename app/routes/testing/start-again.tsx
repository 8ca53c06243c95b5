import {
  type ActionFunctionArgs,
  type LinksFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { getClock, startAgain } from '#app/api/contract/testing.ts'
import { StartAgainForm } from '#app/domain/testing/clock.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Page } from '#app/ui/page.tsx'
import stylesheet from './testing.css?url'

export const meta: MetaFunction = () => [{ title: 'Start again? · Testing · Liftwell' }]
export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { version } = await api(getClock)
  return { version }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  return saveForm(await args.request.formData(), StartAgainForm, async (form) => {
    await api(startAgain, form)
    return redirect('/testing')
  })
}

export default function StartAgain() {
  const { version } = useLoaderData<typeof loader>()
  return (
    <Page
      narrow
      title="Start again?"
      lead="This tenant is put back to the beginning of the demo. This cannot be undone."
    >
      <Form method="post" className="panel section">
        <input type="hidden" name="version" value={version} />
        <ul className="again-list">
          <li>Journeys, lifts, answers, assessments and every message of this tenant are deleted.</li>
          <li>
            Its people are those of the demo again, with the names, numbers and consents that they began with.
            Everyone else is removed, along with their account. You stay.
          </li>
          <li>The clock shows the real time again.</li>
          <li>Files, API keys and the audit log stay. Other tenants are not affected.</li>
        </ul>
        <div className="row-actions row-actions-start">
          <SubmitButton color="red">Yes, start again</SubmitButton>
          <ButtonLink to="/testing" variant="soft" color="gray">
            Cancel
          </ButtonLink>
        </div>
      </Form>
    </Page>
  )
}
