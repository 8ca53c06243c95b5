import { getFormProps, useForm } from '@conform-to/react'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import type { ReactNode } from 'react'
import { sendTest } from '#app/api/contract/lifts.ts'
import { ifOffered } from '#app/api/not-offered.server.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { TestForm } from '#app/domain/lifts/test-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useRefused } from '#app/ui/form/refused.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { TextArea } from '#app/ui/form/text-input.tsx'
import { Page } from '#app/ui/page.tsx'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { useLiftAddress } from './address.ts'
import { requireLift } from './lift.server.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Send a test of ${isolated(data?.lift?.title ?? 'a lift')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const reading = Promise.all([readJourney(api, args.params.journeyId), requireLift(api, args.params)])
  // Another server may be able to send tests without showing lifts or journeys.
  const found = await ifOffered(reading, null)
  if (!found) return { journey: null, lift: null }
  const [shown, lift] = found
  await requireMayEdit(shown)
  return { journey: shown.journey, lift }
}

/** The input stays, to be sent again after a change. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const submission = readForm(await args.request.formData(), TestForm)
  if (submission.status !== 'success') return refuse(submission)
  const { phones } = submission.value
  try {
    const sent = await api(sendTest, { id: args.params.liftId }, { phones })
    return data({ ...submission.reply(), sent: sent.data.map(({ phone }) => phone) })
  } catch (error) {
    return refuse(submission, error)
  }
}

export default function SendTest() {
  const { journey, lift } = useLoaderData<typeof loader>()
  const { sent } = useActionData<{ sent?: string[] }>() ?? {}
  const { lastResult } = useRefused()
  const { lift: back } = useLiftAddress()
  const typed = lastResult?.initialValue?.phones
  const [form, fields] = useForm<{ phones: string }>({
    id: 'test',
    defaultValue: { phones: typeof typed === 'string' ? typed : '' },
    lastResult: lastResult?.status === 'error' ? lastResult : null,
    defaultNoValidate: false,
  })
  return (
    <Around journey={journey} lift={lift}>
      <Form method="post" preventScrollReset {...getFormProps(form)} className="stack page-narrow">
        <FormErrors form={form} labels={{ phones: 'Phone numbers' }} />
        {sent ? (
          <div role="status">
            <ul className="problems">
              {sent.map((phone) => (
                <li key={phone}>{phone}: on its way.</li>
              ))}
            </ul>
          </div>
        ) : null}
        <TextArea
          field={fields.phones}
          label="Phone numbers"
          rows={5}
          help="One on each line, at most 5, with the country code. Each gets the message as it is saved now, with “[Test]” before it."
        />
        <FormActions>
          {lift ? (
            <ButtonLink to={back} variant="soft" color="gray">
              Back to the lift
            </ButtonLink>
          ) : null}
          <SubmitButton>Send the test</SubmitButton>
        </FormActions>
      </Form>
    </Around>
  )
}

type AroundProps = Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'journey' | 'lift'> & {
  children: ReactNode
}

function Around({ journey, lift, children }: AroundProps) {
  if (!journey || !lift) return <Page title="Send a test">{children}</Page>
  return (
    <JourneyPage journey={journey} title={`Send a test of “${isolated(lift.title)}”`}>
      {children}
    </JourneyPage>
  )
}
