import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createLog } from '#app/integrations/log.server.ts'
import { openFront } from './web-front.ts'

const SECRETS = {
  password: 'canary-password-1',
  token: 'canary-token-2',
  code: '481516',
  email: 'canary.person@example.com',
  phone: '+49 170 1234567',
  jwt: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl',
}

it('writes one JSON line per request, with user, path, status and duration', async () => {
  const front = await openFront({
    site: (_req, res) => {
      res.locals.found.set('who', { user_id: 7, tenant_id: 't-1' })
      res.send('ok')
    },
  })
  await front.visit('/users/edit/7?q=words')
  await front.visit('/', { method: 'POST', headers: { origin: 'https://evil.example' } })
  await front.close()

  const [page, forged, ...rest] = front.lines().filter(({ event }) => event === 'request')
  expect(rest).toEqual([])
  expect(page).toMatchObject({
    level: 'info',
    method: 'GET',
    path: '/users/edit/7',
    status: 200,
    user_id: 7,
    tenant_id: 't-1',
  })
  expect(page?.ts).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(page?.request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(page?.ms).toBeTypeOf('number')
  expect(forged).toMatchObject({ level: 'warn', status: 403, refused: 'csrf' })
})

it('never writes the query, body, cookies or secrets of a request', async () => {
  const front = await openFront()
  const query = new URLSearchParams(SECRETS)
  await front.visit(`/users/pool?${query}`, {
    method: 'POST',
    body: JSON.stringify(SECRETS),
    headers: {
      cookie: `session=${SECRETS.token}`,
      authorization: `Bearer ${SECRETS.jwt}`,
      origin: front.origin,
    },
  })
  await front.visit(`/invite/${SECRETS.email}/${encodeURIComponent(SECRETS.email)}`)
  await front.visit(`/idp/default/oauth2/authorize/${'canary-'.repeat(6)}`)
  await front.visit('/boom', { headers: { cookie: `session=${SECRETS.token}` } })
  await front.close()
  expect(front.lines().length).toBeGreaterThanOrEqual(3)
  for (const secret of Object.values(SECRETS)) expect(front.printed()).not.toContain(secret)
  expect(front.printed()).not.toMatch(/canary/)
})

it('removes secrets from what other code logs', () => {
  let printed = ''
  const log = createLog('info', { write: (text) => (printed += text) })
  const cause = new Error(`Key (email)=(${SECRETS.email}) already exists, token=${SECRETS.token}`)
  const err = Object.assign(new Error(`to ${SECRETS.phone}`, { cause }), {
    parameters: [SECRETS.code],
    request: SECRETS,
  })
  log.error(
    { event: 'x', err, form: { deep: [SECRETS], new_password: SECRETS.password }, otp_code: SECRETS.code },
    SECRETS.jwt,
  )
  log.info(SECRETS, `mail to ${SECRETS.email} with Bearer ${SECRETS.token}`)
  for (const secret of Object.values(SECRETS)) expect(printed).not.toContain(secret)
  expect(
    printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).level),
  ).toEqual(['error', 'info'])
})

it('escapes line breaks and terminal codes, so that each entry is one line', async () => {
  let printed = ''
  const log = createLog('info', { write: (text) => (printed += text) })
  const words = 'a\r\n{"level":"fatal"}\u001b[31m\u0085\u2028\u009b31m'
  log.info({ event: 'x', name: words }, words)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(printed.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
  expect(JSON.parse(printed)).toMatchObject({ name: words, message: words })
})

it('shows the visitor only the request ID of a failure', async () => {
  const front = await openFront()
  const answer = await front.visit('/boom')
  const text = await answer.text()
  expect(answer.status).toBe(500)
  expect(text).toContain(answer.headers.get('x-request-id') ?? 'no id')
  expect(text).not.toMatch(/secret words|at .*\.ts/)
  await front.close()
  expect(front.lines().find(({ event }) => event === 'request.failed')).toMatchObject({
    request_id: answer.headers.get('x-request-id'),
    err: { message: 'secret words' },
  })
})

it.each([
  ['within two seconds', "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 2000)"],
  ['before the process exits', 'process.exit()'],
  ['before a fatal failure kills the process', "log.fatal('second'); process.kill(process.pid, 'SIGKILL')"],
])('writes its lines %s', async (_, then) => {
  const code = `import { log } from '#app/integrations/log.server.ts'; log.info('first'); ${then}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code])
  expect(await text(child.stderr)).toContain('"message":"first"')
})
