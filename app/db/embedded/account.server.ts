/** Under which user the server runs: PostgreSQL refuses to run as root. */
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { DatabaseStartError } from './database-start-error.ts'

/** Empty: our own user. */
export type Account = { uid?: number; gid?: number; name?: string }

/** The server inherits nothing of ours: no secrets in its environment, one language in its messages. */
export const CHILD_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.platform === 'win32' && { SystemRoot: 'C:\\Windows' }),
  ...sharedClock(),
} as unknown as NodeJS.ProcessEnv

/** A clock that libfaketime moves is moved for both: `npm run prove:hours` and `prove:delivery` run at other times. */
function sharedClock() {
  // biome-ignore lint/style/noProcessEnv: set for the loader, before any configuration is read
  const { LD_PRELOAD, FAKETIME, FAKETIME_TIMESTAMP_FILE, ...more } = process.env
  const { FAKETIME_NO_CACHE, FAKETIME_DONT_FAKE_MONOTONIC, NO_FAKE_STAT } = more
  if (!FAKETIME && !FAKETIME_TIMESTAMP_FILE) return {}
  const given = { LD_PRELOAD, FAKETIME, FAKETIME_TIMESTAMP_FILE, FAKETIME_NO_CACHE }
  return { ...given, FAKETIME_DONT_FAKE_MONOTONIC, NO_FAKE_STAT }
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** A data folder keeps the user that it belongs to; a new one gets a user with no rights elsewhere. */
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

/** Whether the server may walk into a folder: asked of the system, which knows of more than mode bits. */
export function canEnter(account: Account, folder: string): boolean {
  if (account.uid === undefined) return true
  return spawnSync('/bin/sh', ['-c', 'test -x "$0"', folder], asAccount(account)).status === 0
}

export function asAccount({ uid, gid }: Account) {
  const ids = uid === undefined || gid === undefined ? {} : { uid, gid }
  return { ...ids, cwd: '/', env: CHILD_ENVIRONMENT, windowsHide: true }
}
