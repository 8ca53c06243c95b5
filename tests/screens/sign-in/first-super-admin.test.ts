/** Without the demo: the first person of a new platform, in a separate process. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { generate } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, type Running, startProcess, stopProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const EMAIL = 'sofia@platform.example'
const PASSWORD = ' words of my own '
const dataDir = makeDataDir('first')
let running: Running

beforeAll(async () => {
  const env = { DEMO: 'false', SUPER_ADMIN_EMAIL: EMAIL, DATABASE_URL: '', APP_SECRET: '', PUBLIC_ORIGIN: '' }
  running = await startProcess(dataDir, await freePort(), env)
}, 120_000)
afterAll(async () => {
  if (running) await stopProcess(running)
  rmSync(dataDir, { recursive: true, force: true })
}, 30_000)

async function begin(password: string) {
  const visitor = new Visitor(running.origin)
  const start = await visitor.follow(await visitor.submit('/login', { email: EMAIL }))
  const answer = async (path: string, fields: Record<string, string>) =>
    visitor.follow(await visitor.submit(path, fields))
  const page = await answer(start.path, { username: EMAIL, password })
  return { visitor, page, answer, isIn: () => visitor.cookies.has('__Host-liftwell') }
}

it('the first super admin gets a temporary password once, chooses one, and needs a second factor', async () => {
  // The terminal shows this a moment after the process is ready.
  await expect
    .poll(running.output, { timeout: 20_000 })
    .toContain(`No message leaves this machine: mails and texts are files in ${join(dataDir, 'outbox')}`)
  await expect.poll(running.output, { timeout: 20_000 }).toContain('Temporary password, shown once: ')
  const temporary = /Temporary password, shown once: (\S+)/.exec(running.output())?.[1] ?? ''
  const { visitor, page, answer, isIn } = await begin(temporary)
  expect(page.path).toBe('/login/forceNewPassword')
  const chosen = await answer('/login/forceNewPassword', { password: PASSWORD, confirm_password: PASSWORD })
  expect(chosen.path).toBe('/login/setupTotp')
  expect(isIn()).toBe(false)
  for (const path of ['/', '/tenants', '/settings/security'])
    expect((await visitor.visit(path)).headers.get('location')).toMatch(/^\/login/)
  const secret = /id="totp-secret"[^>]*>([A-Z2-7]{32})</.exec(chosen.html)?.[1] ?? ''
  await answer('/login/setupTotp', { confirmation_code: await generate({ secret }) })
  expect(isIn()).toBe(true)

  const again = await begin(PASSWORD)
  expect(again.page.path).toBe('/login/confirmSignIn')
  expect(again.isIn()).toBe(false)
})

it('a lost authenticator app is removed by a command, and set up again at the next sign-in', async () => {
  const remove = (email: string) =>
    promisify(execFile)(process.execPath, [resolve('app/commands/remove-second-factor.ts'), email], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        DATABASE_URL: '',
        DATABASE_WORKER_URL: '',
        DATABASE_IDENTITY_URL: '',
      },
    })
  await expect(remove('nobody@example.com')).rejects.toMatchObject({
    stderr: expect.stringContaining('No super admin has the e-mail address nobody@example.com.'),
  })
  const { stdout } = await remove(EMAIL)
  expect(stdout).toContain('signs in with their password next')
  await expect
    .poll(async () => (await begin(PASSWORD)).page.path, { timeout: 20_000 })
    .toBe('/login/setupTotp')
  // A second factor that does not exist cannot be removed.
  await expect(remove(EMAIL)).rejects.toMatchObject({
    stderr: expect.stringContaining('This person has no second factor.'),
  })
})

it('super admins are added and removed by a command, but never the last who can sign in', async () => {
  const change = async (what: 'add' | 'remove', email: string) => {
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', DATABASE_WORKER_URL: '' }
    const command = [resolve('app/commands/super-admins.ts'), what, email]
    return promisify(execFile)(process.execPath, command, { env }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr,
    )
  }
  const other = 'second@platform.example'
  expect(await change('add', other)).toContain(`${other} is a super admin now.`)
  expect(await change('add', other)).toContain('is a super admin already')
  const outbox = join(dataDir, 'outbox')
  const mails = () =>
    (existsSync(outbox) ? readdirSync(outbox) : []).map((name) => readFileSync(join(outbox, name), 'utf8'))
  await expect.poll(() => mails().some((mail) => mail.includes(other)), { timeout: 20_000 }).toBe(true)
  // A person who has not signed in yet cannot be the only super admin.
  expect(await change('remove', EMAIL)).toContain('the only super admin who can sign in')
  expect(await change('remove', 'nobody@example.com')).toContain('No super admin has the e-mail address')
  expect(await change('remove', other)).toContain('is no longer a super admin')
  expect(await change('remove', other)).toContain('No super admin has the e-mail address')
  expect(await change('add', other)).toContain(`${other} is a super admin now.`)
})

it('signing keys are renewed by a command while the process runs, with the same secret only', async () => {
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', DATABASE_IDENTITY_URL: '' }
  const rotate = (more: object) =>
    promisify(execFile)(process.execPath, [resolve('app/commands/rotate-keys.ts')], {
      env: { ...env, ...more },
    })
  const wrong = { APP_SECRET: 'another-secret-of-at-least-32-characters' }
  await expect(rotate(wrong)).rejects.toMatchObject({ stderr: expect.stringContaining('another APP_SECRET') })
  const { stdout } = await rotate({ APP_SECRET: '' })
  expect(stdout).toContain('New signing keys for default.')
  await expect(rotate({ APP_SECRET: '', DATA_DIR: join(dataDir, 'nothing') })).rejects.toMatchObject({
    stderr: expect.stringContaining('start Liftwell first'),
  })
  expect(existsSync(join(dataDir, 'nothing')) ? readdirSync(join(dataDir, 'nothing')) : []).toEqual([])
})
