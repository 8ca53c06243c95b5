/** What a story cannot do at a browser: make time go by, and accounts be what they are seldom. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The embedded database of the product under test, as its superuser. */
async function query<Row extends pg.QueryResultRow>(
  statement: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const folder = join(process.env.E2E_DATA_DIR ?? '', 'postgres')
  const [, , , port = '', socketFolder = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split(
    '\n',
  )
  const password = readFileSync(join(folder, 'liftwell-password'), 'utf8').trim()
  const client = new pg.Client({
    host: socketFolder || '127.0.0.1',
    port: Number(port),
    user: 'postgres',
    password,
    database: 'liftwell',
  })
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end()
  }
}

/** What the latest message to somebody says. */
export async function latestMessage(recipient: string): Promise<string> {
  for (let i = 0; i < 100; i += 1) {
    const [message] = await query<{ body: string }>(
      'select body from outbox_messages where recipient = $1 order by id desc limit 1',
      [recipient],
    )
    if (message) return message.body
    await sleep(100)
  }
  throw new Error(`Nothing was sent to ${recipient}.`)
}

export async function latestCode(recipient: string): Promise<string> {
  const code = /\b\d{6}\b/.exec(await latestMessage(recipient))?.[0]
  if (!code) throw new Error(`The latest message to ${recipient} has no code.`)
  return code
}

export const letCodesExpire = () => query('update identity.codes set expires_at = now()')
export const letAnHourPass = () =>
  query(`update identity.codes set sent = array(select at - interval '1 hour' from unnest(sent) as at)`)
export const forgiveGuesses = () => query('delete from identity.attempts')

/** An account of the embedded pool, changed as an administrator of another day might have. */
export const changeAccount = (username: string, set: string) =>
  query(`update identity.users set ${set} where username = $1`, [username])

/** Whatever becomes of a person's password in this story, the next one finds it as it was. */
export async function keepingPassword(username: string, story: () => Promise<void>): Promise<void> {
  const [account] = await query<{ password_hash: string }>(
    'select password_hash from identity.users where username = $1',
    [username],
  )
  await story()
  await query('update identity.users set password_hash = $2 where username = $1', [
    username,
    account?.password_hash,
  ])
}
