import { encryptionProblems } from './encryption.server.ts'
import { addressProblems } from './web-tier-problems.server.ts'

type Store = {
  [Name in 'LRS_URL' | 'LRS_KEY' | 'LRS_SECRET']?: string | undefined
}

/** Learning records are about people: they and the key go over https, or stay on this machine. */
export function recordStoreProblems(env: Store): [string, string][] {
  const names = ['LRS_URL', 'LRS_KEY', 'LRS_SECRET'] as const
  if (names.every((name) => env[name] === undefined)) return []
  const missing = names.filter((name) => env[name] === undefined)
  return [
    ...addressProblems('LRS_URL', env.LRS_URL),
    ...missing.map((name): [string, string] => [name, 'is needed for the record store, with the others']),
  ]
}

type Bucket = Partial<
  Record<
    'FILES_DIR' | 'FILES_S3_URL' | 'FILES_S3_ACCESS_KEY_ID' | 'FILES_S3_SECRET_ACCESS_KEY',
    string | undefined
  >
>
export function bucketProblems({ FILES_DIR, FILES_S3_URL, ...keys }: Bucket) {
  if (FILES_S3_URL === undefined || !URL.canParse(FILES_S3_URL)) return []
  const url = new URL(FILES_S3_URL)
  const { search, username } = url
  const problems = encryptionProblems('FILES_S3_URL', url)
  if (search || username) problems.push(['FILES_S3_URL', 'must be the address of a bucket and nothing more'])
  if (FILES_DIR !== undefined) problems.push(['FILES_S3_URL', 'cannot be set together with FILES_DIR'])
  for (const name of ['FILES_S3_ACCESS_KEY_ID', 'FILES_S3_SECRET_ACCESS_KEY'] as const)
    if (keys[name] === undefined) problems.push([name, 'is needed when FILES_S3_URL is set'])
  return problems
}
