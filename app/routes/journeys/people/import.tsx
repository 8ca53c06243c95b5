import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { importParticipants } from '#app/api/contract/participants.ts'
import { refusalOf } from '#app/api/refuse.server.ts'
import { figures } from '#app/domain/figures.ts'
import { MAX_IMPORT_CHARACTERS, type MembersImported } from '#app/domain/participants/member.ts'
import { chosenText } from '#app/routes/chosen-text.server.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { FormActions, SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { readJourney } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { reason } from '../reason.server.ts'
import { peopleOf, usePeopleAddress } from './address.ts'
import { ImportReport } from './import-report.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Import participants of ${data?.journey.name ?? 'a journey'} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const shown = await readJourney(api, args.params.journeyId)
  if (!shown.mayEdit) throw new Response('Forbidden', { status: 403 })
  return shown
}

type Answer = { table?: MembersImported; csv?: string; problem?: string }

/** The table comes back with what would happen, so that the second press does just that. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  await readJourney(api, args.params.journeyId)
  const formData = await args.request.formData()
  const chosen = await chosenText(formData, 'csv')
  if ('problem' in chosen) return data<Answer>({ problem: chosen.problem }, { status: 422 })
  const { text: csv, isTyped } = chosen
  const problem = csv.trim() === '' ? 'Please choose a file or paste a table.' : tooLong(csv)
  if (problem) return data<Answer>({ problem, csv: csv.slice(0, MAX_IMPORT_CHARACTERS) }, { status: 422 })
  const dry_run = formData.get('sure') !== 'true' || !isTyped
  try {
    const table = await api(importParticipants, { id: args.params.journeyId }, { csv, dry_run })
    if (!table.done) return data<Answer>({ table, csv }, { status: table.problems.length > 0 ? 422 : 200 })
    const title = table.rows.length === 1 ? '1 participant saved' : `${table.rows.length} participants saved`
    return await redirectWithToast(peopleOf(args.params.journeyId, args.request), { title })
  } catch (error) {
    const { status } = refusalOf(error)
    return data<Answer>({ problem: await reason(error), csv }, { status })
  }
}

const tooLong = (csv: string) =>
  csv.length > MAX_IMPORT_CHARACTERS
    ? `This table is too long: at most ${figures(MAX_IMPORT_CHARACTERS)} characters.`
    : null

export default function ImportParticipants() {
  const { journey } = useLoaderData<typeof loader>()
  const { table, csv, problem } = useActionData<typeof action>() ?? {}
  const { list } = usePeopleAddress(journey.id)
  const isRight = table !== undefined && table.problems.length === 0
  return (
    <JourneyPage journey={journey} title="Import participants">
      <Form method="post" encType="multipart/form-data" preventScrollReset className="stack">
        {problem ? (
          <p className="field-errors" role="alert">
            {problem}
          </p>
        ) : null}
        {table ? <ImportReport {...table} /> : <Columns />}
        {isRight ? <input type="hidden" name="sure" value="true" /> : null}
        <label className="field">
          <span className="field-label">{isRight ? 'Choose another file' : 'File'}</span>
          {/* Emptied once it was read: what is corrected below would lose to it. */}
          <input
            key={csv}
            className="input input-file"
            type="file"
            name="file"
            accept=".csv,text/csv,text/plain"
          />
        </label>
        <label className="field">
          <span className="field-label">{isRight ? 'The table as checked' : 'Or paste the table'}</span>
          <textarea
            key={csv}
            className="input input-area"
            name="csv"
            rows={5}
            defaultValue={csv}
            spellCheck={false}
          />
        </label>
        <FormActions>
          <ButtonLink to={list} variant="soft" color="gray">
            Back to the participants
          </ButtonLink>
          <SubmitButton intent={isRight ? 'import' : 'check'}>
            {isRight ? 'Import' : 'Check the table'}
          </SubmitButton>
        </FormActions>
      </Form>
    </JourneyPage>
  )
}

const EXAMPLE = [
  'email,role,sponsor,exclude_data',
  'lena@company.example,learner,sam@company.example,no',
  'sam@company.example,sponsor,,',
].join('\n')

function Columns() {
  return (
    <div className="field-help stack">
      <p>
        One person on each line. The first line names the columns, in any order. You see what would happen
        before anything is saved.
      </p>
      <dl className="columns">
        <dt>email</dt>
        <dd>Required. A user of your company.</dd>
        <dt>role</dt>
        <dd>learner, sponsor or facilitator; blank = learner.</dd>
        <dt>sponsor</dt>
        <dd>The e-mail of the learner’s sponsor; blank = unchanged.</dd>
        <dt>exclude_data</dt>
        <dd>yes = exclude from analytics, no = include; blank = unchanged.</dd>
      </dl>
      <p>
        <a download="participants.csv" href={`data:text/csv;charset=utf-8,${encodeURIComponent(EXAMPLE)}`}>
          Download an example
        </a>
      </p>
    </div>
  )
}
