import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { isRouteErrorResponse, useActionData, useLoaderData } from '@remix-run/react'
import { changeMailStop, getMailStop } from '#app/api/contract/people/mail-stops.ts'
import { askAsAnyone } from '#app/api/instance.server.ts'
import { type MailStop, STOPPED } from '#app/domain/mail-stops/mail-stop.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Bare } from '#app/ui/frame/bare.tsx'
import { BareError } from '#app/ui/frame/error-screen.tsx'
import { Screen } from '#app/ui/frame/screen.tsx'

const BROKEN = 'This link doesn’t work'

export const meta: MetaFunction = ({ error }) => [
  { title: `${isMissing(error) ? BROKEN : 'E-mails'} · Liftwell` },
  { name: 'robots', content: 'noindex' },
]

/** Opening the page stops nothing: scanners of mail open every link. */
export async function loader(args: LoaderFunctionArgs) {
  return askAsAnyone(getMailStop, { ids: idsOf(args) })
}

const idsOf = ({ params }: LoaderFunctionArgs) => ({ token: params.token ?? 'missing' })

/** A press on this page, or the one-click request of a mail program (RFC 8058), which gets no redirect. */
export async function action(args: ActionFunctionArgs) {
  const ids = idsOf(args)
  const form = await args.request.formData()
  if (form.get('List-Unsubscribe') === 'One-Click')
    return askAsAnyone(changeMailStop, { ids, body: { stop: 'these', one_click: true } })
  const stop = STOPPED.find((one) => one === form.get('intent'))
  if (!stop) throw data(null, { status: 400 })
  return askAsAnyone(changeMailStop, { ids, body: { stop, one_click: false } })
}

const THESE = {
  journey: ({ journey }: MailStop) => `e-mails about “${journey}”`,
  brief: () => 'e-mails on Mondays about your learners who need attention',
  summary: () => 'e-mails on Mondays about the week of your journeys',
}

const SAID = {
  none: (stop: MailStop) => `You get ${THESE[stop.about](stop)} from ${stop.company}.`,
  these: (stop: MailStop) => `You won’t get ${THESE[stop.about](stop)}.`,
  all: ({ company }: MailStop) => `You won’t get e-mails about journeys from ${company}.`,
}

export default function StopMails() {
  const shown = useLoaderData<typeof loader>()
  const stop: MailStop = useActionData<typeof action>() ?? shown
  const { company, about, journey, stopped } = stop
  return (
    <Bare name={company} reading>
      <h1>{stopped === 'none' ? 'Stop e-mails?' : 'E-mails are stopped'}</h1>
      <p role="status">{SAID[stopped](stop)}</p>
      <Form method="post">
        <div className="row-actions row-actions-start">
          {stopped === 'none' ? (
            <Choice stop="these">
              {about === 'journey' ? `Stop e-mails about “${journey}”` : 'Stop these e-mails'}
            </Choice>
          ) : null}
          {stopped === 'all' ? null : (
            <Choice stop="all">{`Stop all journey e-mails from ${company}`}</Choice>
          )}
          {stopped === 'none' ? null : <Choice stop="none">Get them again</Choice>}
        </div>
      </Form>
      <p>
        Your lifts stay on your to-do list. E-mails about signing in and the security of your account still
        come, and text messages end when you reply STOP to one.
      </p>
    </Bare>
  )
}

const Choice = ({ stop, children }: { stop: MailStop['stopped']; children: string }) => (
  <SubmitButton intent={stop} variant={stop === 'these' ? 'solid' : 'soft'}>
    {children}
  </SubmitButton>
)

export function ErrorBoundary() {
  return (
    <BareError
      notFound={
        <Screen title={BROKEN} hint={DAMAGED}>
          <ButtonLink to="/settings/privacy">Sign in to stop e-mails</ButtonLink>
        </Screen>
      }
    />
  )
}

const isMissing = (error: unknown): boolean => isRouteErrorResponse(error) && error.status === 404

const DAMAGED =
  'No e-mails were stopped. Part of the link may be missing: open it in the e-mail again. You can also sign in and stop e-mails under Privacy, or ask an administrator of your company.'
