/** A table with Radix's own classes instead of its components, because lists render the most elements. */

import type { ReactNode } from 'react'
import { figures } from '#app/domain/text/figures.ts'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from './search.ts'

export type Column<Row> = {
  key: string
  label: string
  sortable?: boolean
  /** Numbers are right-aligned. */
  align?: 'end'
  /** Keeps the label for screen readers only (actions). */
  hideLabel?: boolean
  render?: (row: Row) => ReactNode
}

type DataTableProps<Row> = {
  /** The name of the list, for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** As in the URL: `name:asc`. */
  order?: string
  rowKey: (keyof Row & string) | ((row: Row) => string | number)
}

export function DataTable<Row extends object>({
  caption,
  columns,
  rows,
  order = '',
  rowKey,
}: DataTableProps<Row>) {
  const keyOf = typeof rowKey === 'function' ? rowKey : (row: Row) => String(row[rowKey])
  return (
    <div className="rt-TableRoot rt-r-size-2 rt-variant-surface data-table">
      <div className="data-table-scroll">
        <table className="rt-TableRootTable">
          <caption className="hidden-words">{caption}</caption>
          <thead className="rt-TableHeader">
            <tr className="rt-TableRow">
              {columns.map((column) => (
                <HeadCell key={column.key} column={column} order={order} />
              ))}
            </tr>
          </thead>
          <tbody className="rt-TableBody">
            {rows.map((row) => (
              <tr key={keyOf(row)} className="rt-TableRow">
                {columns.map((column, index) => (
                  <BodyCell key={column.key} column={column} row={row} first={index === 0} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

type CellProps<Row> = { column: Column<Row> }

function HeadCell<Row>({ column, order }: CellProps<Row> & { order: string }) {
  const link = useSearchLink()
  const [name, direction] = order.split(':')
  const sorted = name === column.key ? (direction === 'asc' ? 'ascending' : 'descending') : undefined
  const next = `${column.key}:${sorted === 'ascending' ? 'desc' : 'asc'}`
  return (
    <th
      scope="col"
      className="rt-TableCell rt-TableColumnHeaderCell"
      data-align={column.align}
      aria-sort={column.sortable ? (sorted ?? 'none') : undefined}
    >
      {column.sortable ? (
        <Link className="sort" to={link({ order: next, page: null })} preventScrollReset>
          {column.label}
          <span className="sort-arrow" aria-hidden="true" />
        </Link>
      ) : (
        <span className={column.hideLabel ? 'hidden-words' : undefined}>{column.label}</span>
      )}
    </th>
  )
}

function BodyCell<Row extends object>({ column, row, first }: CellProps<Row> & { row: Row; first: boolean }) {
  const Cell = first ? 'th' : 'td'
  const value = column.render ? column.render(row) : plain(row, column.key)
  const empty = value === null || value === undefined || value === ''
  return (
    <Cell
      className={first ? 'rt-TableCell rt-TableRowHeaderCell' : 'rt-TableCell'}
      scope={first ? 'row' : undefined}
      data-label={first || column.hideLabel ? undefined : column.label}
      data-align={column.align}
    >
      {empty ? <span className="nothing">–</span> : value}
    </Cell>
  )
}

function plain<Row extends object>(row: Row, key: string): ReactNode {
  const value: unknown = (row as Record<string, unknown>)[key]
  if (typeof value === 'number') return figures(value)
  return typeof value === 'string' ? value : null
}
