/** What the list of people draws, from a constant: no database, no session, no frame. */
import { Table } from '@radix-ui/themes'
import { Link, useLoaderData } from '@remix-run/react'

const PEOPLE = Array.from({ length: 20 }, (_, n) => ({
  id: n + 1,
  name: `Mara Fischer ${n}`,
  email: `person-${n}@bench.example`,
  job_title: 'Planner',
  department: 'Operations',
  role: 'User',
  status: 'Active',
  added: 'Nov 20, 2026',
}))

export const loader = () => ({ people: PEOPLE })

export default function Users() {
  const { people } = useLoaderData<typeof loader>()
  return (
    <main>
      <h1>User Management</h1>
      <Table.Root variant="surface">
        <Table.Header>
          <Table.Row>
            {['Name', 'E-mail', 'Job title', 'Department', 'Roles', 'Status', 'Added'].map((label) => (
              <Table.ColumnHeaderCell key={label}>{label}</Table.ColumnHeaderCell>
            ))}
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {people.map(({ id, name, email, job_title, department, role, status, added }) => (
            <Table.Row key={id}>
              <Table.RowHeaderCell>
                <Link to={`/users/edit/${id}`}>{name}</Link>
              </Table.RowHeaderCell>
              <Table.Cell>{email}</Table.Cell>
              <Table.Cell>{job_title}</Table.Cell>
              <Table.Cell>{department}</Table.Cell>
              <Table.Cell>{role}</Table.Cell>
              <Table.Cell>{status}</Table.Cell>
              <Table.Cell>{added}</Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </main>
  )
}
