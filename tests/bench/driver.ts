/**
 * A separate process that runs the statements of a call on the bare driver, in one transaction, and answers JSON. It
 * asks the domain once and repeats the recorded statements, so they are always the current ones.
 */
import { createServer } from 'node:http'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '#app/db/schema.ts'
import type { Actor } from '#app/domain/access/actor.ts'
import { inScope, type Scope } from '#app/domain/scope/scope.server.ts'
import { getCurrentUser } from '#app/domain/users/current-user.server.ts'
import { listUsersWithFacets } from '#app/domain/users/users.server.ts'

type Statement = { sql: string; parameters: readonly unknown[] }
type Setting = { url: string; port: number; actor: Actor }

const { url, port, actor }: Setting = JSON.parse(process.env.BENCH_DRIVER ?? '{}')
const pool = new pg.Pool({ connectionString: url, max: 10 })

const WORK: Record<string, (scope: Scope) => Promise<unknown>> = {
  '/users': (scope) =>
    listUsersWithFacets(scope, { page: 1, per_page: 20, order_by: 'date', order: 'desc', q: '', role: [] }),
  '/me': (scope) => getCurrentUser(scope, false),
}

async function record(work: (scope: Scope) => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = []
  const database = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 1 }) }),
    log: ({ query: { sql, parameters } }) =>
      void (/^(begin|commit)/i.test(sql) || statements.push({ sql, parameters })),
  })
  await inScope(database, actor, work)
  await database.destroy()
  return statements
}

async function repeat(statements: readonly Statement[]): Promise<string> {
  const client = await pool.connect()
  const answers: unknown[] = []
  await client.query('begin')
  for (const { sql, parameters } of statements) answers.push((await client.query(sql, [...parameters])).rows)
  await client.query('commit')
  client.release()
  return JSON.stringify(answers)
}

const known = new Map<string, Statement[]>()
for (const [path, work] of Object.entries(WORK)) known.set(path, await record(work))

createServer(async (request, response) => {
  const statements = known.get(request.url ?? '')
  if (!statements) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'application/json' }).end(await repeat(statements))
}).listen(port, '127.0.0.1', () => process.send?.('ready'))
