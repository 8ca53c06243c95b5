import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData } from '@remix-run/react'
import { importJourney, listJourneyChoices } from '#app/api/contract/journeys.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { figures } from '#app/domain/figures.ts'
import { type ImportResult, MAX_DOCUMENT_CHARACTERS } from '#app/domain/running/documents/document.ts'
import { chosenText } from '#app/routes/chosen-text.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Page } from '#app/ui/page.tsx'
import { reason } from '../reason.server.ts'
import { useListAddress } from './address.ts'
import { ImportReport } from './import-report.tsx'

export const meta: MetaFunction = () => [{ title: 'Import a journey · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const { may_create } = await api(listJourneyChoices)
  if (!may_create) throw new Response('Forbidden', { status: 403 })
  return null
}

type Answer = { looked?: ImportResult; text?: string; problem?: string }

/** The text comes back with what is said about it, so that nothing has to be chosen twice. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const formData = await args.request.formData()
  const chosen = await chosenText(formData, 'text')
  if ('problem' in chosen) return data<Answer>({ problem: chosen.problem }, { status: 422 })
  const { text, isTyped } = chosen
  if (text.trim() === '')
    return data<Answer>({ problem: 'Please choose a file or paste its text.' }, { status: 400 })
  if (text.length > MAX_DOCUMENT_CHARACTERS)
    return data<Answer>({ problem: TOO_LONG, text: text.slice(0, MAX_DOCUMENT_CHARACTERS) }, { status: 422 })
  const isSure = formData.get('sure') === 'true' && isTyped
  try {
    const looked = await api(importJourney, { text, dry_run: true })
    const isWrong = hasErrors(looked)
    if (!isSure || isWrong) return data<Answer>({ looked, text }, { status: isWrong ? 422 : 200 })
    const { journey_id, name } = await api(importJourney, { text, dry_run: false })
    return redirectWithToast(`/lljs/${journey_id}/schedule`, { title: 'Journey imported', message: name })
  } catch (error) {
    const { status } = refusalOf(error)
    return data<Answer>({ problem: await reason(error), text }, { status })
  }
}

const TOO_LONG = `This file is too long: at most ${figures(MAX_DOCUMENT_CHARACTERS)} characters.`

const hasErrors = ({ problems }: ImportResult): boolean => problems.some((one) => one.severity === 'error')

export default function ImportJourney() {
  const { looked, text, problem } = useActionData<typeof action>() ?? {}
  const isRight = looked !== undefined && !hasErrors(looked)
  const { list } = useListAddress()
  return (
    <Page
      title="Import a journey"
      lead="Choose a file that “Export” saved from another journey. You see what is in it before anything is created."
      narrow
    >
      <Form method="post" encType="multipart/form-data" className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {looked ? <ImportReport {...looked} /> : null}
        <label className="field">
          <span className="field-label">File</span>
          {/* Emptied once it was read: what is corrected below would lose to it. */}
          <input
            key={text}
            className="input input-file"
            type="file"
            name="file"
            accept=".md,text/markdown,text/plain"
          />
        </label>
        <label className="field">
          <span className="field-label">Or paste its text</span>
          <textarea
            key={text}
            className="input input-area"
            name="text"
            rows={12}
            defaultValue={text}
            spellCheck={false}
          />
        </label>
        {isRight ? <input type="hidden" name="sure" value="true" /> : null}
        <FormActions>
          <ButtonLink to={list} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          {/* Two buttons: a press on the one is no second press on the other, while the page is still being read. */}
          <SubmitButton intent={isRight ? 'create' : 'check'}>
            {isRight ? 'Create the draft' : 'Check the file'}
          </SubmitButton>
        </FormActions>
      </Form>
    </Page>
  )
}
