/** The imports of this place. */
import type { Pagination } from '#app/domain/page.ts'
import type { ImportSummary } from '#app/domain/users/imports/import.ts'
import { Badge, type Tone } from '#app/ui/badge.tsx'
import { Day } from '#app/ui/day.tsx'
import { Link } from '#app/ui/link.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { inWords } from './in-words.ts'

const TONES: Record<ImportSummary['status'], Tone> = {
  waiting: 'neutral',
  running: 'accent',
  finished: 'success',
  failed: 'danger',
}

const COLUMNS: readonly Column<ImportSummary>[] = [
  {
    key: 'file_name',
    label: 'File',
    render: (work) => <Link to={`/users/import/${work.id}`}>{work.file_name}</Link>,
  },
  { key: 'created_on', label: 'When', render: (work) => <Day at={work.created_on} timed /> },
  { key: 'created_by', label: 'By' },
  { key: 'dry_run', label: 'Kind', render: (work) => (work.dry_run ? 'Dry run' : 'Import') },
  { key: 'status', label: 'State', render: (work) => <State work={work} /> },
  { key: 'created', label: 'Created', align: 'end' },
  { key: 'skipped', label: 'Skipped', align: 'end' },
  { key: 'failed', label: 'Failed', align: 'end' },
]

export function EarlierImports({
  imports,
}: {
  imports: { data: readonly ImportSummary[]; pagination: Pagination }
}) {
  return (
    <section aria-labelledby="earlier" className="section section-apart">
      <h2 id="earlier">Earlier imports</h2>
      <PagedTable
        caption="Earlier imports"
        columns={COLUMNS}
        list={imports}
        empty={{ title: 'No import yet', hint: 'Each import and dry run is listed here.' }}
      />
    </section>
  )
}

/** A dry run can be imported as long as its file is kept. */
function State({ work: { status, kept_until, imported_as } }: { work: ImportSummary }) {
  return (
    <>
      <Badge tone={TONES[status]}>{inWords(status)}</Badge>
      {imported_as ? ' Imported' : null}
      {kept_until ? (
        <>
          {' '}
          Can be imported until <Day at={kept_until} timed />
        </>
      ) : null}
    </>
  )
}
