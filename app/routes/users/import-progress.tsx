import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { UserImport } from '#app/domain/users/import.ts'
import { address } from '#app/routes/address.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { Facts } from '#app/ui/facts.tsx'
import { Page } from '#app/ui/page.tsx'
import { DataTable } from '#app/ui/table.tsx'
import { useRefresh } from '#app/ui/use-refresh.ts'
import { requirePeople } from './guard.server.ts'

export const meta: MetaFunction = () => [{ title: 'Import users · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  return { work: await api.get(address`/users/imports/${args.params.importId}`, UserImport) }
}

const COLUMNS = [
  { key: 'row', label: 'Line' },
  { key: 'field', label: 'Column' },
  { key: 'error', label: 'What is wrong' },
] as const
const inFigures = (count: number) => count.toLocaleString('en-US')

export default function FollowImport() {
  const { work } = useLoaderData<typeof loader>()
  const isOver = work.finished_on !== null
  useRefresh(!isOver)
  const name = work.dry_run ? 'Dry run' : 'Import'
  return (
    <Page
      title={`${name} of ${work.file_name}`}
      lead={leadOf(work)}
      action={isOver ? <NextSteps work={work} /> : undefined}
    >
      {isOver ? null : (
        <noscript>
          <meta httpEquiv="refresh" content="2" />
        </noscript>
      )}
      {work.problem ? <p role="alert">{work.problem}</p> : null}
      <div aria-live="polite">
        <progress
          className="progress"
          max={work.rows_total ?? 1}
          value={isOver ? (work.rows_total ?? 1) : work.rows_processed}
          aria-label="Rows that were read"
        />
        <Facts
          facts={{
            'Rows read': `${inFigures(work.rows_processed)} of ${work.rows_total === null ? '…' : inFigures(work.rows_total)}`,
            [work.dry_run ? 'Would be created' : 'Created']: inFigures(work.created),
            Skipped: inFigures(work.skipped),
            Failed: inFigures(work.failed),
          }}
        />
      </div>
      {work.errors.length > 0 ? (
        <DataTable
          caption="What is wrong with rows"
          columns={COLUMNS}
          rows={work.errors.map((error, at) => ({ ...error, at }))}
          rowKey="at"
        />
      ) : null}
    </Page>
  )
}

function leadOf({ status, dry_run, problem }: UserImport): string {
  if (problem) return 'The file could not be read. Nobody was created.'
  if (status !== 'finished') return 'This page follows the work; you can leave it and come back.'
  return dry_run ? 'Nothing was changed. Import the same file again to create these people.' : 'This is done.'
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
      {work.dry_run || work.problem ? (
        <ButtonLink to="/users/import">Import a file</ButtonLink>
      ) : (
        <ButtonLink to="/users">Back to users</ButtonLink>
      )}
    </>
  )
}
