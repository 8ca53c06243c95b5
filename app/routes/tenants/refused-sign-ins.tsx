/** Recent failed sign-ins with their reasons, for finding a wrong audience or clock. */
import type { Pagination } from '#app/domain/page.ts'
import { Day } from '#app/ui/day.tsx'
import { NoRows } from '#app/ui/list/no-rows.tsx'
import { Pager } from '#app/ui/list/pager.tsx'
import { DataTable } from '#app/ui/list/table.tsx'

type Row = { id: number; reason: string; request_id: string; created_on: Date | string }

export function RefusedSignIns({ data, pagination }: { data: readonly Row[]; pagination: Pagination }) {
  return (
    <section className="section" aria-labelledby="refused-sign-ins">
      <h2 id="refused-sign-ins">Last refused sign-ins</h2>
      {data.length === 0 ? (
        <NoRows
          pagination={pagination}
          title="Nobody was refused"
          hint="When the provider sends somebody back who cannot be signed in, the reason is kept here."
        />
      ) : (
        <DataTable
          caption="Last refused sign-ins"
          rows={data}
          rowKey="id"
          columns={[
            {
              key: 'created_on',
              label: 'When',
              render: ({ created_on }) => <Day at={new Date(created_on).toISOString()} timed />,
            },
            { key: 'reason', label: 'Why' },
            { key: 'request_id', label: 'Request in the log' },
          ]}
        />
      )}
      <Pager pagination={pagination} />
    </section>
  )
}
