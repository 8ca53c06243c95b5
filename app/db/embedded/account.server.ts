/** The user the server runs as: PostgreSQL refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { DatabaseStartError } from './database-start-error.ts'

/** Empty for our own user. */
export type Account = { uid?: number; gid?: number; name?: string }

/** The server inherits nothing from us: no secrets in its environment, and one language for its messages. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32' && { SystemRoot: 'C:\\Windows' }),
  ...sharedClock(),
} as unknown as NodeJS.ProcessEnv

/** Passes on libfaketime's settings, for one clock in both processes (`npm run prove:hours`, `prove:delivery`). */
function sharedClock() {
  // biome-ignore lint/style/noProcessEnv: set for the loader, before any configuration is read
  const { LD_PRELOAD, FAKETIME, FAKETIME_TIMESTAMP_FILE, ...more } = process.env
  const { FAKETIME_NO_CACHE, FAKETIME_DONT_FAKE_MONOTONIC, NO_FAKE_STAT } = more
  if (!FAKETIME && !FAKETIME_TIMESTAMP_FILE) return {}
  const given = { LD_PRELOAD, FAKETIME, FAKETIME_TIMESTAMP_FILE, FAKETIME_NO_CACHE }
  return { ...given, FAKETIME_DONT_FAKE_MONOTONIC, NO_FAKE_STAT }
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** An existing data folder keeps its user; a new one gets a user without rights elsewhere. */
export function accountFor(dataFolder: string): Account {
  if (!isRoot()) return {}
  const owner = statSync(dataFolder, { throwIfNoEntry: false })
  const users = readUsers()
  const account =
    users.find(({ uid }) => owner !== undefined && uid !== 0 && uid === owner.uid) ??
    users.find(({ name }) => name === 'nobody') ??
    users.find(({ name }) => name === 'daemon')
  if (!account) {
    throw new DatabaseStartError(
      'PostgreSQL does not run as root, and this machine has no user "nobody": start Liftwell as another user, or set DATABASE_URL.',
    )
  }
  return account
}

function readUsers(): Required<Account>[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid && Number(uid) > 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

/** Whether the server's user may enter a folder: asked of the system, since mode bits are not everything. */
export function canEnter(account: Account, folder: string): boolean {
  if (account.uid === undefined) return true
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], asAccount(account)).status === 0
}

export function asAccount({ uid, gid }: Account) {
  const ids = uid === undefined || gid === undefined ? {} : { uid, gid }
  return { ...ids, cwd: '/', env: CHILD_ENVIRONMENT, windowsHide: true }
}
