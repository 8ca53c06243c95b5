/** Exports one of the shown tables as a file, with the same filters and the same as-of moment. */

import { EXPORT_TABLES, type ExportTable, FILE_FORMATS } from '#app/domain/exports/export-words.ts'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'

type Value = string | number | undefined

export type Exported = {
  /** The tables to choose from. */
  tables: readonly ExportTable[]
  /** The label of the choice; by default a table. */
  label?: string
  /** The filters, search and order of the page. */
  asked: Readonly<Record<string, Value>>
}

type ExportFormProps = {
  exported: readonly Exported[]
  /** The journey, if there is also a printable report. */
  journey?: number | undefined
}

export function ExportForm({ exported, journey }: ExportFormProps) {
  return (
    <section className="report-export" aria-labelledby="export">
      <h2 id="export">Export</h2>
      {exported.map((one) => (
        <OneOf key={one.tables.join()} {...one} />
      ))}
      <p className="row-actions">
        {journey ? (
          <Link prefetch="none" to={`/analytics/report?journey=${journey}`}>
            Report to print
          </Link>
        ) : null}
        <Link to={journey ? `/analytics/exports?journey=${journey}` : '/analytics/exports'}>
          {journey ? 'Your exports, and xAPI statements' : 'Your exports'}
        </Link>
      </p>
    </section>
  )
}

function OneOf({ tables, label = 'Table', asked }: Exported) {
  const given = Object.entries(asked).filter(([, value]) => value !== undefined && value !== '')
  const words =
    tables.length === 1 && tables[0] ? ` of ${EXPORT_TABLES[tables[0]]}` : ` of the ${label.toLowerCase()}`
  return (
    <Form method="post" action="/analytics/exports" className="report-filters">
      <input type="hidden" name="intent" value="report" />
      {given.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={String(value)} />
      ))}
      {tables.length === 1 ? (
        <input type="hidden" name="table" value={tables[0]} />
      ) : (
        <label>
          <span>{label}</span>
          <select className="input input-select" name="table">
            {tables.map((table) => (
              <option key={table} value={table}>
                {EXPORT_TABLES[table]}
              </option>
            ))}
          </select>
        </label>
      )}
      {Object.entries(FILE_FORMATS).map(([format, name]) => (
        <Button key={format} type="submit" name="format" value={format} variant="soft" color="gray">
          {name}
          <span className="hidden-words">{words}</span>
        </Button>
      ))}
    </Form>
  )
}
