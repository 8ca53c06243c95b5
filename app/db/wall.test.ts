import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { asAdmin } from '#tests/support/postgres.ts'
import { connect } from './connect.server.ts'
import { withTarget } from './url.ts'
import { requireWall } from './wall.server.ts'

let database: TestDatabase
/** Roles belong to the whole server, so these tests do not touch the roles of other tests. */
const role = `wall_${randomBytes(6).toString('hex')}`
const boss = `${role}_boss`

const admin = (statement: string) => asAdmin(database.adminUrl, statement)

beforeAll(async () => {
  database = await createTestDatabase()
  await admin(`create role ${role} login password 'wall'`)
  await admin(`create role ${boss}`)
  await admin(`grant connect on database ${new URL(database.adminUrl).pathname.slice(1)} to ${role}`)
})

afterAll(async () => {
  const { adminUrl } = database
  await admin(`drop owned by ${role}, ${boss}`)
  await database.drop()
  await asAdmin(withTarget(adminUrl, { database: 'postgres' }), `drop role ${role}, ${boss}`)
})

/** The problem that `requireWall` reports to our role after a change, which is then undone. */
async function complaint(change: string, undo: string): Promise<string> {
  await admin(change)
  const db = connect(withTarget(database.adminUrl, { user: role, password: 'wall' }), { max: 1 })
  try {
    return await requireWall(db).then(
      () => 'nothing',
      (error) => error.message,
    )
  } finally {
    await db.destroy()
    await admin(undo)
  }
}

it('The check of the wall accepts the roles of the application and of the worker', async () => {
  await requireWall(database.app)
  await requireWall(database.worker)
  expect(await complaint('select', 'select')).toBe('nothing')
})

it('The check of the wall refuses the owner and the superuser', async () => {
  for (const [url, why] of [
    [database.ownerUrl, /The role liftwell_owner owns the database/],
    [database.adminUrl, /is a superuser/],
  ] as const) {
    const db = connect(url, { max: 1 })
    await expect(requireWall(db)).rejects.toThrow(why)
    await db.destroy()
  }
})

describe('The check of the wall refuses a role', () => {
  it.each([
    ['a superuser', `alter role ${role} superuser`, `alter role ${role} nosuperuser`, 'is a superuser'],
    ['with BYPASSRLS', `alter role ${role} bypassrls`, `alter role ${role} nobypassrls`, '(BYPASSRLS)'],
    [
      'that can create roles',
      `alter role ${role} createrole`,
      `alter role ${role} nocreaterole`,
      'may create roles',
    ],
    [
      'that can replicate',
      `alter role ${role} replication`,
      `alter role ${role} noreplication`,
      'may replicate',
    ],
    [
      'that is a member of the owner',
      `grant liftwell_owner to ${role}`,
      `revoke liftwell_owner from ${role}`,
      'or belongs to its owner',
    ],
    [
      'that is a member of a role with BYPASSRLS',
      `alter role ${boss} bypassrls; grant ${boss} to ${role}`,
      `alter role ${boss} nobypassrls; revoke ${boss} from ${role}`,
      `is a member of ${boss}, which may bypass`,
    ],
    [
      'that is a member of the role for looking people up',
      `grant liftwell_lookup to ${role}`,
      `revoke liftwell_lookup from ${role}`,
      'The policy lookup_reads on assessments does not ask for the scope.',
    ],
    [
      'that owns a table',
      `create table own (id int); alter table own owner to ${role}`,
      'drop table own',
      'owns the table own',
    ],
    [
      'that can read the files of the server',
      `grant pg_read_server_files to ${role}`,
      `revoke pg_read_server_files from ${role}`,
      'may reach the files of the server',
    ],
    [
      'that can truncate a table',
      `grant truncate on users to ${role}`,
      `revoke truncate on users from ${role}`,
      'The table users may be truncated.',
    ],
  ])('%s', async (_case, change, undo, why) => {
    expect(await complaint(change, undo)).toContain(why)
  })
})

describe('The check of the wall refuses a table', () => {
  it.each([
    [
      'that does not force its policies',
      'alter table files no force row level security',
      'alter table files force row level security',
      'The table files does not force row-level security.',
    ],
    [
      'whose policies are off',
      'alter table files disable row level security',
      'alter table files enable row level security',
      'The table files has row-level security switched off.',
    ],
    [
      'without a policy for a command',
      'alter policy scope_delete on files to liftwell_worker',
      'alter policy scope_delete on files to public',
      'The table files has no policy for delete.',
    ],
    [
      'with a policy that ignores the scope',
      'create policy open_door on files for select using (true)',
      'drop policy open_door on files',
      'The policy open_door on files does not ask for the scope.',
    ],
    [
      'that is new and was forgotten',
      'create table forgotten (tenant_id uuid)',
      'drop table forgotten',
      'The table forgotten has row-level security switched off.',
    ],
    [
      'behind a view that reads with its owner’s rights',
      'create view peephole as select * from files',
      'drop view peephole',
      'The view peephole is not security_invoker.',
    ],
    [
      'copied into a materialized view',
      'create materialized view copy as select tenant_id from files',
      'drop materialized view copy',
      'copy holds rows of tenants and can have no policies.',
    ],
  ])('%s', async (_case, change, undo, why) => {
    expect(await complaint(change, undo)).toContain(why)
  })
})
