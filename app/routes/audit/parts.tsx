import { type AuditEvent, type AuditSearch, actionInWords } from '#app/domain/audit/audit-event.ts'
import { formatDate } from '#app/domain/text/date-format.ts'
import { encodePath } from '#app/routes/encode-path.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { Link } from '#app/ui/link.tsx'
import type { Column } from '#app/ui/list/table.tsx'
import { Changes } from './changes.tsx'
import { type Place, Subject } from './subject.tsx'

type Company = { id: string; name: string }

/** `company`: null where nobody acts from outside. */
export function Filters({ search, company }: { search: AuditSearch; company: Company | null }) {
  const { page: _, ...filters } = search
  const isFiltered = Object.values(filters).some(Boolean)
  return (
    <Form method="get" role="search" className="audit-filters" key={JSON.stringify(filters)}>
      <Filter name="actor" label="Who (name or e-mail)" value={search.actor} />
      <Filter name="action" label="What" value={search.action} placeholder="Journey created" />
      <Filter name="subject" label="On what" value={search.subject} placeholder="a name, or user 42" />
      <Filter name="from" label="From" value={search.from} type="date" />
      <Filter name="to" label="Until" value={search.to} type="date" />
      {company ? (
        <label className="audit-check">
          <input
            type="checkbox"
            name="on_behalf_of"
            value={company.id}
            defaultChecked={search.on_behalf_of === company.id}
          />
          <span>Only by people of the platform, for {company.name}</span>
        </label>
      ) : null}
      <Button type="submit" variant="soft" color="gray">
        Show
      </Button>
      {isFiltered ? <Link to="?">Clear all</Link> : null}
    </Form>
  )
}

/** Lists the parameters of the URL that were ignored because they are invalid. */
export function IgnoredFilters({ ignored }: { ignored: readonly string[] }) {
  if (ignored.length === 0) return null
  return (
    <p role="status" className="audit-ignored">
      {ignored.join(' ')}
    </p>
  )
}

type FilterProps = { name: string; label: string; value: string; type?: string; placeholder?: string }

function Filter({ name, label, value, type = 'text', placeholder }: FilterProps) {
  return (
    <label className="audit-filter">
      <span>{label}</span>
      <input
        className="input"
        type={type}
        name={name}
        defaultValue={value}
        placeholder={placeholder}
        maxLength={120}
      />
    </label>
  )
}

type Reader = { zone: string; company: Company; place: Place }

export const auditColumns = ({ zone, company, place }: Reader): readonly Column<AuditEvent>[] => [
  {
    key: 'action',
    label: 'What',
    render: ({ action }) => <span title={action}>{actionInWords(action)}</span>,
  },
  {
    key: 'subject',
    label: 'On what',
    render: ({ subject }) => <Subject {...subject} place={place} />,
  },
  {
    key: 'actor',
    label: 'Who',
    render: (event) => <Who event={event} company={company.name} place={place} />,
  },
  { key: 'at', label: 'When', render: ({ at }) => <Moment at={at} zone={zone} /> },
  {
    key: 'changes',
    label: 'Details',
    render: (event) => (Object.keys(event.changes).length > 0 ? <Changes event={event} zone={zone} /> : null),
  },
]

/** People from outside the tenant are shown with the name of the tenant or sub-tenant that they acted for. */
function Who({ event, company, place }: { event: AuditEvent; company: string; place: Place }) {
  const { actor, api_key, on_behalf_of, on_behalf_of_name, sub_tenant } = event
  if (!actor) return 'The system'
  return (
    <span className="audit-who">
      {actor.name && actor.email && place !== 'platform' ? (
        <Link to={encodePath`/users/edit/${actor.id}`}>{actor.name}</Link>
      ) : (
        (actor.email ?? actor.name ?? `Person ${actor.id}`)
      )}
      {api_key ? <Badge tone="neutral">API key {api_key.name}</Badge> : null}
      {on_behalf_of ? <Badge tone="warning">for {sub_tenant ?? on_behalf_of_name ?? company}</Badge> : null}
    </span>
  )
}

function Moment({ at, zone }: { at: string; zone: string }) {
  const format = { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone } as const
  return <time dateTime={at}>{formatDate(new Date(at), format)}</time>
}
