/** A pgbouncer in front of a PostgreSQL, in transaction pooling mode (Debian's package). */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './process.ts'

export const hasPgbouncer = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0

/** `serverConnections`: the limit of PostgreSQL connections per role. */
export async function startPgbouncer(urls: readonly string[], serverConnections: number) {
  const folder = mkdtempSync(join(tmpdir(), 'liftwell-bouncer-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const [first] = urls.map((url) => new URL(url))
  if (!first) throw new Error('In front of which database?')
  const people = urls.map((url) => {
    const { username, password } = new URL(url)
    return `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"`
  })
  const server = `host=${first.searchParams.get('host') ?? first.hostname} port=${first.port || 5432}`
  writeFileSync(join(folder, 'users.txt'), `${people.join('\n')}\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = ${server}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 500
`,
  )
  const asRoot = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const child = spawn('pgbouncer', ['-q', ...asRoot, join(folder, 'pgbouncer.ini')], { stdio: 'pipe' })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += text))
  const through = (url: string): string => {
    const led = new URL(url)
    // A pooler knows no options of a session.
    for (const name of ['host', 'options']) led.searchParams.delete(name)
    led.searchParams.set('pgbouncer', 'true')
    return Object.assign(led, { hostname: '127.0.0.1', port: String(port) }).href
  }
  await untilItAnswers(through(first.href), child, () => printed)
  return {
    through,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function untilItAnswers(url: string, child: ChildProcess, printed: () => string): Promise<void> {
  for (let left = 100; child.exitCode === null && left > 0; left--) {
    const client = new pg.Client({ connectionString: url })
    const isThere = await client.connect().then(
      () => true,
      () => false,
    )
    if (isThere) return client.end()
    await sleep(100)
  }
  throw new Error(`pgbouncer does not answer: ${printed()}`)
}
