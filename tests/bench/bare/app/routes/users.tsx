/** The page of the list of people, rendered from a constant: no database, no session, no frame. */
import { Badge, Table } from '@radix-ui/themes'
import { Link, useLoaderData } from '@remix-run/react'

const PEOPLE = Array.from({ length: 20 }, (_, n) => ({
  id: n + 1,
  name: `Mara Fischer ${n}`,
  email: `person-${n}@bench.example`,
  job_title: 'Planner',
  department: 'Operations',
  role: 'User',
  status: 'Active',
  added: '2026-11-20T09:30:00.000Z',
}))

const HEADS = [
  { label: 'Name', order: 'name:asc' },
  { label: 'E-mail', order: 'email:asc' },
  { label: 'Job title' },
  { label: 'Department' },
  { label: 'Roles' },
  { label: 'Status', order: 'status:asc' },
  { label: 'Added', order: 'date:asc' },
]

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

export const loader = () => ({ people: PEOPLE })

export default function Users() {
  const { people } = useLoaderData<typeof loader>()
  return (
    <main>
      <h1>User Management</h1>
      <Table.Root variant="surface">
        <Table.Header>
          <Table.Row>
            {HEADS.map(({ label, order }) => (
              <Table.ColumnHeaderCell key={label}>
                {order ? <Link to={`?order=${order}`}>{label}</Link> : label}
              </Table.ColumnHeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {people.map(({ id, name, email, job_title, department, role, status, added }) => (
            <Table.Row key={id}>
              <Table.RowHeaderCell>
                <label>
                  <input type="checkbox" name="user_ids" value={id} />
                  <span>Select {name}</span>
                </label>
                <Link to={`/users/edit/${id}`}>{name}</Link>
              </Table.RowHeaderCell>
              <Table.Cell>{email}</Table.Cell>
              <Table.Cell>{job_title}</Table.Cell>
              <Table.Cell>{department}</Table.Cell>
              <Table.Cell>{role}</Table.Cell>
              <Table.Cell>
                <Badge color="green">{status}</Badge>
              </Table.Cell>
              <Table.Cell>
                <time dateTime={added}>{DAY.format(new Date(added))}</time>
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </main>
  )
}
