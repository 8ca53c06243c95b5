/** `npm run dev`, as a developer of the product runs it. */
import { rmSync } from 'node:fs'
import { expect, inject, it } from 'vitest'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { createDemoDatabase, environmentOf } from '#tests/support/demo-template.ts'
import { freePort, readAccounts, startProcess, stopProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

it('npm run dev serves pages and the API without a build', { timeout: 240_000 }, async () => {
  const dataDir = makeDataDir('dev')
  const database = await createDemoDatabase(inject('postgres'), dataDir)
  const env = { ...environmentOf(database, dataDir), NODE_ENV: 'development', VITEST: '' }
  const running = await startProcess(dataDir, await freePort(), env, 'dev')
  try {
    const visitor = new Visitor(running.origin)
    const adam = readAccounts(dataDir).find(({ email }) => email.startsWith('adam@'))
    await visitor.signIn(adam?.email ?? '', adam?.password ?? '')
    const people = await visitor.visit('/users')
    expect([people.status, (await people.text()).includes('Uri')]).toEqual([200, true])
    const call = await visitor.visit('/api/v1/users/me')
    expect([call.status, await call.json()]).toEqual([401, expect.objectContaining({ has_error: true })])
  } finally {
    await stopProcess(running)
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
