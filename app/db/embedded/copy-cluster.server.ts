/**
 * A copy of the database's files that recovers to the moment the copying ended: PostgreSQL's own
 * low-level base backup, since its npm package brings no pg_basebackup.
 */
import { constants, copyFileSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Home } from './home.server.ts'
import { urlOfRunning } from './running.server.ts'

/** Of the running server only, or made anew by the next one. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|\.s\.PGSQL.*|pgsql_tmp.*)$/
const EMPTIED = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial'],
  ...['pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
])
const SEGMENT = /^[0-9A-F]{24}$/

/**
 * Copies the cluster into `target`, a folder that does not exist; the server may go on working meanwhile.
 * Returns a time: what was committed before it is in the copy.
 */
export async function copyCluster(home: Home, target: string): Promise<Date> {
  const adminUrl = urlOfRunning(home)
  if (adminUrl === null) {
    copyFolder(home.folder, target, new Set())
    return new Date()
  }
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  try {
    return await copyRunning(client, home.folder, target)
  } finally {
    await client.end()
  }
}

async function copyRunning(client: pg.Client, folder: string, target: string): Promise<Date> {
  // While the session lives, the slot keeps every piece of log that the copy needs.
  const slot = `backup_${process.pid}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  const { rows: started } = await client.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('liftwell', true)) as segment`,
  )
  copyFolder(folder, target, EMPTIED)
  const end = new Date()
  const { rows: stopped } = await client.query<{ segment: string; labelfile: string }>(
    'select pg_walfile_name(lsn) as segment, labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  const [first, last] = [started[0]?.segment, stopped[0]?.segment]
  if (!first || !last) throw new Error('The database did not say where its log begins and ends.')
  for (const name of readdirSync(join(folder, 'pg_wal'))) {
    if (SEGMENT.test(name) && name >= first && name <= last)
      copyFileSync(join(folder, 'pg_wal', name), join(target, 'pg_wal', name))
  }
  writeFileSync(join(target, 'backup_label'), stopped[0]?.labelfile ?? '', { mode: 0o600 })
  return end
}

/** Folders named in `emptied` are made without what is in them. */
function copyFolder(from: string, to: string, emptied: ReadonlySet<string>): void {
  mkdirSync(to, { mode: 0o700 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue
    const [source, copy] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) {
      if (emptied.has(entry.name)) mkdirSync(copy, { mode: 0o700 })
      else copyFolder(source, copy, emptied)
    } else if (entry.isFile()) copyFile(source, copy)
  }
}

/** A table that was dropped meanwhile is no loss: the log says so too. */
function copyFile(source: string, copy: string): void {
  try {
    copyFileSync(source, copy, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (existsSync(source) && statSync(source).isFile()) throw error
  }
}
