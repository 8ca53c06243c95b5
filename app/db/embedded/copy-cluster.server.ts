/** Copies the running database's files by PostgreSQL's low-level base backup, because npm ships no pg_basebackup. */
import { copyFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { createClient } from '../client.server.ts'
import { copyFolder } from '../durable.server.ts'
import type { Home } from './home.server.ts'
import { urlOfRunning } from './running.server.ts'

/** Files of the running server only, or recreated by the next one. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label.*|tablespace_map.*|\.s\.PGSQL.*|pgsql_tmp.*)$/
const EMPTIED = new Set([
  ...['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_serial'],
  ...['pg_snapshots', 'pg_stat_tmp', 'pg_subtrans'],
])
const takes = ({ name }: { name: string }) => !LEFT_OUT.test(name)
const SEGMENT = /^[0-9A-F]{24}$/

/** `target` must not exist. Returns a time: everything committed before it is in the copy. */
export async function copyCluster(home: Home, target: string, signal?: AbortSignal): Promise<Date> {
  const adminUrl = urlOfRunning(home)
  if (adminUrl === null) {
    await copyFolder(home.folder, target, { signal, takes })
    return new Date()
  }
  const client = createClient(adminUrl)
  await client.connect()
  try {
    return await copyRunning(client, home.folder, target, signal)
  } finally {
    await client.end()
  }
}

async function copyRunning(
  client: pg.Client,
  folder: string,
  target: string,
  signal: AbortSignal | undefined,
): Promise<Date> {
  // While the session lives, the slot retains all WAL that the copy needs.
  const slot = `backup_${process.pid}`
  await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot])
  const { rows: started } = await client.query<{ segment: string }>(
    `select pg_walfile_name(pg_backup_start('liftwell', true)) as segment`,
  )
  await copyFolder(folder, target, { signal, takes, fills: ({ name }) => !EMPTIED.has(name) })
  const end = new Date()
  const { rows: stopped } = await client.query<{ segment: string; labelfile: string }>(
    'select pg_walfile_name(lsn) as segment, labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  const [first, last] = [started[0]?.segment, stopped[0]?.segment]
  if (!first || !last) throw new Error('The database did not say where its log begins and ends.')
  for (const name of await readdir(join(folder, 'pg_wal'))) {
    if (SEGMENT.test(name) && name >= first && name <= last)
      await copyFile(join(folder, 'pg_wal', name), join(target, 'pg_wal', name))
  }
  await writeFile(join(target, 'backup_label'), stopped[0]?.labelfile ?? '', { mode: 0o600 })
  return end
}
