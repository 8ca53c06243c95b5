/** A chart: a sentence as its title, the drawing, and the same figures as a table beside it. */

import type { ReactNode } from 'react'
import { figures } from '#app/domain/text/figures.ts'

type ChartProps = {
  id: string
  /** The message of the chart, as a sentence. */
  title: string
  /** The kind of chart, for screen readers. */
  label: string
  note?: ReactNode
  head: readonly [string, ...string[]]
  rows: readonly (readonly [string, ...(string | number)[]])[]
  /** The height of a drawing that is 360 wide. */
  height: number
  level?: 2 | 3
  children: ReactNode
}

export const WIDTH = 360

export function Chart({ id, title, label, note, head, rows, height, level = 2, children }: ChartProps) {
  const Heading = `h${level}` as const
  return (
    <section className="chart" aria-labelledby={id}>
      <Heading id={id} className="chart-title">
        {title}
      </Heading>
      {note ? <p className="report-quiet">{note}</p> : null}
      <div className="chart-parts">
        <svg
          className="chart-drawing"
          viewBox={`0 0 ${WIDTH} ${height}`}
          role="img"
          aria-label={`${label}. The table beside it has the same figures.`}
        >
          {children}
        </svg>
        <ChartTable caption={label} head={head} rows={rows} />
      </div>
    </section>
  )
}

type ChartTableProps = Pick<ChartProps, 'head' | 'rows'> & { caption: string }

function ChartTable({ caption, head, rows }: ChartTableProps) {
  return (
    <div className="chart-scroll">
      <table className="chart-table">
        <caption className="hidden-words">{caption}</caption>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...rest], index) => (
            // Two answers may have the same words, so the index is the key.
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are never moved
            <tr key={index}>
              <th scope="row">{first}</th>
              {rest.map((cell, column) => (
                <td key={head[column + 1]}>{typeof cell === 'number' ? figures(cell) : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
