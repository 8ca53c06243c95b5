import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { carryOutImport, getImport } from '#app/api/contract/people/user-imports.ts'
import { figures } from '#app/domain/text/figures.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { IMPORT_LABELS, type UserImport } from '#app/domain/users/imports/import.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { sayWhy } from '#app/routes/say-why.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useRefresh } from '#app/ui/frame/use-refresh.ts'
import { Link } from '#app/ui/link.tsx'
import { DataTable } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'
import { Email } from './email.tsx'
import { requirePeople } from './guard.server.ts'

export const meta: MetaFunction = () => [{ title: 'Import users · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  const work = await api(getImport, { id: args.params.importId })
  return { work: { ...work, errors: work.errors.map(withLabel), outcomes: work.outcomes.map(withLabel) } }
}

/** Replaces a field name by its label on the page. */
const withLabel = <Row extends { field: string }>(row: Row): Row => ({
  ...row,
  field: new Map(Object.entries<string>(IMPORT_LABELS)).get(row.field) ?? row.field,
})

/** Imports the file of the dry run. */
export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  requireIntent(await args.request.formData(), ['import'])
  try {
    const { id } = await api(carryOutImport, { id: args.params.importId })
    return redirect(`/users/import/${id}`)
  } catch (error) {
    const message = await sayWhy(error)
    const here = encodePath`/users/import/${args.params.importId}`
    return redirectWithToast(here, { title: 'Not imported', message, variant: 'error' })
  }
}

const COLUMNS = [
  { key: 'row', label: 'Where' },
  { key: 'field', label: 'Column' },
  { key: 'error', label: 'Problems' },
] as const
const ROWS = [
  { key: 'row', label: 'Where' },
  { key: 'email', label: 'E-mail', render: ({ email }: { email: string }) => <Email email={email} /> },
  { key: 'result', label: 'What happens' },
  { key: 'field', label: 'Column' },
  { key: 'error', label: 'Why' },
] as const
const inFigures = (count: number) => figures(count)

export default function FollowImport() {
  const { work } = useLoaderData<typeof loader>()
  const isOver = work.finished_on !== null
  useRefresh(!isOver)
  // If all rows are shown, each has its own errors.
  const isEachShown = isOver && work.outcomes.length >= work.rows_processed
  const name = work.dry_run ? 'Dry run' : 'Import'
  return (
    <Page
      title={`${name} of ${isolated(work.file_name)}`}
      lead={<Lead work={work} />}
      action={isOver ? <NextSteps work={work} /> : undefined}
    >
      {isOver ? null : (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      )}
      {work.problem ? <p role="alert">{work.problem}</p> : null}
      <div aria-live="polite" className="section">
        <progress
          className="progress"
          max={work.rows_total ?? 1}
          value={isOver ? (work.rows_total ?? 1) : work.rows_processed}
          aria-label="Rows that were read"
        />
        <Facts
          facts={{
            'Rows read': `${inFigures(work.rows_processed)} of ${work.rows_total === null ? '…' : inFigures(work.rows_total)}`,
            [work.dry_run ? 'To be created' : 'Created']: inFigures(work.created),
            Skipped: inFigures(work.skipped),
            Failed: inFigures(work.failed),
          }}
        />
      </div>
      {work.errors.length > 0 && !isEachShown ? (
        <section aria-labelledby="wrong" className="section">
          <h2 id="wrong">Problems by row</h2>
          <DataTable
            caption="Problems by row"
            columns={COLUMNS}
            rows={work.errors.map((error, at) => ({ ...error, at, row: `Line ${error.row}` }))}
            rowKey="at"
          />
        </section>
      ) : null}
      {isOver && work.outcomes.length > 0 ? <RowByRow work={work} /> : null}
    </Page>
  )
}

function RowByRow({ work: { outcomes, rows_processed } }: { work: UserImport }) {
  const isCut = rows_processed > outcomes.length
  return (
    <section aria-labelledby="rows" className="section">
      <h2 id="rows">Row by row</h2>
      {isCut ? <p>The first {inFigures(outcomes.length)}; the result file has them all.</p> : null}
      <DataTable
        caption="Row by row"
        columns={ROWS}
        rows={outcomes.map((outcome, at) => ({ ...outcome, at, row: `Line ${outcome.row}` }))}
        rowKey="at"
      />
    </section>
  )
}

function Lead({ work }: { work: UserImport }) {
  const { status, dry_run, problem, kept_until, created, imported_as, send_welcome } = work
  if (problem) return created > 0 && !dry_run ? 'It ended before the end of the file.' : 'Nobody was created.'
  if (status !== 'finished') return 'This page follows the work; you can leave it and come back.'
  if (!dry_run) return 'Finished.'
  if (created === 0) return 'Nothing was changed, and nobody would be created.'
  if (imported_as)
    return (
      <>
        It was imported: <Link to={`/users/import/${imported_as}`}>see what came of it</Link>.
      </>
    )
  if (!kept_until) return 'Nothing was changed. The file is no longer kept; choose it again to import it.'
  const mail = send_welcome
    ? 'Each gets an invitation, except those the file deactivates.'
    : 'No invitation is sent.'
  return (
    <>
      Nothing was changed yet. The file is kept until <Day at={kept_until} timed />. {mail}
    </>
  )
}

function NextSteps({ work }: { work: UserImport }) {
  return (
    <>
      <a
        className="rt-reset rt-BaseButton rt-Button rt-r-size-2 rt-variant-soft"
        data-accent-color="gray"
        href={`/users/import/${work.id}/result`}
        download
      >
        Result file
      </a>
      {work.can_be_imported ? (
        <>
          <ButtonLink to="/users/import" variant="soft" color="gray">
            Another file
          </ButtonLink>
          <Form method="post">
            <SubmitButton intent="import">{`Import ${work.created === 1 ? 'this 1 person' : `these ${inFigures(work.created)} people`}`}</SubmitButton>
          </Form>
        </>
      ) : work.dry_run || work.problem ? (
        <ButtonLink to="/users/import">Import a file</ButtonLink>
      ) : (
        <ButtonLink to="/users">Back to users</ButtonLink>
      )}
    </>
  )
}
