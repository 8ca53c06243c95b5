/** DATA_DIR/postgres, or a link to a folder elsewhere if the server's user cannot enter DATA_DIR (as under /root). */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Account, accountFor, canEnter } from './account.server.ts'
import { DatabaseStartError } from './database-start-error.ts'
import { readPidFile } from './pid-file.server.ts'
import { beginningOf } from './process-identity.server.ts'

export type Home = {
  /** The data folder of PostgreSQL, without links in its path. */
  folder: string
  account: Account
  notice?: string
}

export function findHome(dataDir: string): Home {
  const link = join(dataDir, 'postgres')
  const entry = lstatSync(link, { throwIfNoEntry: false })
  if (entry?.isSymbolicLink()) return follow(dataDir, link)

  const account = accountFor(link)
  const folder = join(realpathSync(dataDir), 'postgres')
  if (canEnter(account, dataDir)) return { folder, account }
  const placed = join(makeBase(dataDir, account), 'postgres')
  if (entry) move(folder, placed)
  symlinkSync(placed, link)
  rmSync(`${folder}.moved`, { recursive: true, force: true })
  return { folder: placed, account, notice: noticeOf(dataDir, placed, account) }
}

function follow(dataDir: string, link: string): Home {
  const base = dirname(resolve(dataDir, readlinkSync(link)))
  const folder = join(base, 'postgres')
  if (!existsSync(base)) {
    throw new DatabaseStartError(
      `${link} leads to ${folder}, which is gone: bring it back, or remove the link to begin with an empty database.`,
    )
  }
  const account = accountFor(folder)
  if (!canEnter(account, base)) {
    throw new DatabaseStartError(`${link} leads to ${folder}, which the user ${account.name} cannot enter.`)
  }
  return { folder, account, notice: noticeOf(dataDir, folder, account) }
}

const noticeOf = (dataDir: string, folder: string, { name }: Account) =>
  `The database is in ${folder}: the user ${name}, under which it runs, cannot enter ${dataDir}.`

/** A folder that lasts as long as the data folder: temporary if that is temporary, else one that survives a restart. */
function makeBase(dataDir: string, account: Account): string {
  const isTemporary = realpathSync(dataDir).startsWith(join(realpathSync(tmpdir()), '/'))
  for (const parent of isTemporary ? [tmpdir()] : ['/var/lib', '/srv', '/var/tmp']) {
    try {
      const base = mkdtempSync(join(parent, 'liftwell-'))
      chmodSync(base, 0o711)
      if (canEnter(account, base)) {
        writeFileSync(join(base, 'README'), `The database of the Liftwell whose data folder is ${dataDir}.\n`)
        return base
      }
      rmSync(base, { recursive: true })
    } catch {
      // The next parent may do.
    }
  }
  throw new DatabaseStartError(
    `The user ${account.name}, under which PostgreSQL has to run, cannot enter ${dataDir}: set DATA_DIR to a folder that it can.`,
  )
}

/** Moves data created while the server's user could enter the folder, which has since moved to where it cannot. */
function move(from: string, to: string): void {
  const server = readPidFile(from)
  if (server && beginningOf(server.pid)) {
    throw new DatabaseStartError(
      `A PostgreSQL server (process ${server.pid}) still runs on ${from}: stop it first.`,
    )
  }
  execFileSync('cp', ['-a', from, to])
  renameSync(from, `${from}.moved`)
}

export function makePrivateFolder(folder: string, account: Account): void {
  mkdirSync(folder, { mode: 0o700 })
  give(folder, account)
}

export function give(path: string, { uid, gid }: Account): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid)
}
