/** The demo's accounts and their generated passwords, kept in the data folder (0600). */
import { randomInt } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type DemoAccount = { role: string; name: string; email: string; password: string; tenant: string }

const file = (dataDir: string) => join(dataDir, 'demo-accounts.json')

export async function readDemoAccounts(dataDir: string): Promise<DemoAccount[] | null> {
  try {
    return JSON.parse(await readFile(file(dataDir), 'utf8')) as DemoAccount[]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export async function keepDemoAccounts(dataDir: string, accounts: DemoAccount[]): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  // Written completely or not at all, even if the process ends meanwhile.
  const draft = `${file(dataDir)}.new`
  await writeFile(draft, `${JSON.stringify(accounts, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(draft, file(dataDir))
}

const WORDS =
  'amber birch cedar delta ember fjord grove heron inlet jetty kelp lunar maple north ocean pearl quartz river stone tidal umber vivid willow zephyr'.split(
    ' ',
  )

/** Four words and a number: 24^4 x 9000, readable enough to type on a phone. */
export function generatePassword(): string {
  const words = Array.from({ length: 4 }, () => WORDS[randomInt(WORDS.length)])
  return `${words.join('-')}-${randomInt(1000, 10_000)}`
}

/** The table that the process prints when it starts. */
export function describeAccounts(accounts: DemoAccount[]): string {
  const columns = ['role', 'email', 'password', 'tenant'] as const
  const widths = columns.map((column) => Math.max(...accounts.map((account) => account[column].length)))
  return accounts
    .map((account) => `  ${columns.map((column, i) => account[column].padEnd(widths[i] ?? 0)).join('  ')}`)
    .join('\n')
}
