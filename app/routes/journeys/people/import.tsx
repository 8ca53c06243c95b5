import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { importParticipants } from '#app/api/contract/participants.ts'
import { MAX_IMPORT_CHARACTERS, type MembersImported } from '#app/domain/participants/member.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'
import { checkImport } from '../check-import.server.ts'
import { ImportForm } from '../import-form.tsx'
import { readJourney, requireMayEdit } from '../journey.server.ts'
import { JourneyPage } from '../journey-page.tsx'
import { peopleOf, usePeopleAddress } from './address.ts'
import { ImportReport } from './import-report.tsx'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Import participants of ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  const shown = await readJourney(api, args.params.journeyId)
  await requireMayEdit(shown)
  return shown
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  await readJourney(api, args.params.journeyId)
  return checkImport<MembersImported>(args.request, MAX_IMPORT_CHARACTERS, async (csv, isSure) => {
    const report = await api(importParticipants, { id: args.params.journeyId }, { csv, dry_run: !isSure })
    if (!report.done) return { report, isRight: report.problems.length === 0 }
    const { length } = report.rows
    const title = length === 1 ? '1 participant saved' : `${figures(length)} participants saved`
    return redirectWithToast(peopleOf(args.params.journeyId, args.request), { title })
  })
}

export default function ImportParticipants() {
  const { journey } = useLoaderData<typeof loader>()
  const { list } = usePeopleAddress(journey.id)
  return (
    <JourneyPage journey={journey} title="Import participants">
      <ImportForm
        answer={useActionData<typeof action>()}
        accept=".csv,text/csv,text/plain"
        rows={5}
        help={<Columns />}
        report={(found: MembersImported) => <ImportReport {...found} />}
        check="Check the table"
        carryOut="Import"
        back={{ to: list, label: 'Back to the participants' }}
      />
    </JourneyPage>
  )
}

const EXAMPLE = [
  'E-mail,Role,Sponsor,Exclude data',
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
        <dt>E-mail</dt>
        <dd>Required. The e-mail of a user.</dd>
        <dt>Role</dt>
        <dd>learner, sponsor or facilitator; blank = learner.</dd>
        <dt>Sponsor</dt>
        <dd>The e-mail of the learner’s sponsor; blank = unchanged.</dd>
        <dt>Exclude data</dt>
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
