/** Deleted tenants, or sub-tenants of one, that can still be restored. */

import type { Pagination } from '#app/domain/page.ts'
import { DAYS_UNTIL_PURGED, purgedOn } from '#app/domain/tenants/deleted.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Day } from '#app/ui/day.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { FilterBar } from '#app/ui/list/filter-bar.tsx'
import { NameLink } from '#app/ui/list/list-cells.tsx'
import { PagedTable } from '#app/ui/list/paged-table.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { Page } from '#app/ui/page.tsx'

type Deleted = { id: string; name: string; logo: string | null; deleted_on: string | null }
type DeletedPageProps = {
  title: string
  back: { to: string; children: string }
  q: string
  list: { data: Deleted[]; pagination: Pagination }
}

export function DeletedPage({ title, back, q, list }: DeletedPageProps) {
  return (
    <Page title={title} lead={KEPT} action={<ButtonLink {...back} variant="soft" />}>
      <FilterBar q={q} placeholder={`Search ${title.charAt(0).toLowerCase()}${title.slice(1)}`} />
      <PagedTable
        caption={title}
        columns={columns}
        list={list}
        empty={{
          title: 'Nothing here',
          hint: q
            ? 'Nothing that can be restored matches this search.'
            : 'Nothing that was deleted can be restored now.',
        }}
      />
    </Page>
  )
}

const KEPT = `What was deleted can be restored for ${DAYS_UNTIL_PURGED} days. Then it is removed for good, with everything in it.`

const columns: readonly Column<Deleted>[] = [
  { key: 'name', label: 'Name', render: ({ name, logo }) => <NameLink to={null} name={name} logo={logo} /> },
  {
    key: 'deleted_on',
    label: 'Deleted',
    render: ({ deleted_on }) => (deleted_on ? <Day at={deleted_on} /> : null),
  },
  {
    key: 'purged_on',
    label: 'Removed for good',
    render: ({ deleted_on }) => (deleted_on ? <Day at={purgedOn(deleted_on)} /> : null),
  },
  { key: 'actions', label: 'Actions', hideLabel: true, render: (row) => <Restore row={row} /> },
]

function Restore({ row: { id, name } }: { row: Deleted }) {
  return (
    <Form method="post" className="row-actions">
      <input type="hidden" name="intent" value="restore" />
      <input type="hidden" name="id" value={id} />
      <Button type="submit" variant="soft" size="1">
        Restore<span className="hidden-words"> {name}</span>
      </Button>
    </Form>
  )
}
