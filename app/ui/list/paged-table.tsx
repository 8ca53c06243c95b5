import type { ReactNode } from 'react'
import type { Pagination } from '#app/domain/page.ts'
import { NoRows } from './no-rows.tsx'
import { Pager } from './pager.tsx'
import { type Column, DataTable } from './table.tsx'

type PagedTableProps<Row> = {
  caption: string
  columns: readonly Column<Row>[]
  list: { data: readonly Row[]; pagination: Pagination }
  /** As in the URL: `name:asc`. */
  order?: string
  /** The column that tells the rows apart. */
  rowKey?: keyof Row & string
  /** The empty state of the list. */
  empty: { title?: string; hint: ReactNode; action?: ReactNode }
  /** Placed below the rows, if there are any. */
  children?: ReactNode
}

/** One page of a list with its empty state and pager. */
export function PagedTable<Row extends object>(props: PagedTableProps<Row>) {
  const { list, empty, children, rowKey = 'id' as keyof Row & string, ...table } = props
  return (
    <>
      {list.data.length > 0 ? (
        <>
          <DataTable {...table} rows={list.data} rowKey={rowKey} />
          {children}
        </>
      ) : (
        <NoRows pagination={list.pagination} {...empty} />
      )}
      <Pager pagination={list.pagination} />
    </>
  )
}
