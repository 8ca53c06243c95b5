/**
 * `npm run prove:durability`: creates 1,000 tenants through the screens, kills the process (-9) in the middle and
 * restarts it; every tenant whose creation was acknowledged must exist.
 */
import { rmSync } from 'node:fs'
import { makeDataDir } from '#tests/support/data-dir.ts'
import { freePort, readAccounts, startProcess } from '#tests/support/process.ts'
import { Visitor } from '#tests/support/visitor.ts'

const TENANTS = 1000
const AT_ONCE = 8
const dataDir = makeDataDir('durability')
const port = await freePort()

const first = await startProcess(dataDir, port)
const sofia = readAccounts(dataDir).find((account) => account.role === 'super_admin')
if (!sofia) throw new Error('The demo has no super admin.')
const visitor = new Visitor(first.origin)
await visitor.signIn(sofia.email, sofia.password)

const acknowledged: string[] = []
let next = 0
async function createSome(): Promise<void> {
  while (next < TENANTS) {
    const name = `Durable ${String(++next).padStart(4, '0')}`
    const fields = { name, customer_type: 'Single Tenant', status: 'active', timezone: 'UTC' }
    const answer = await visitor.submit('/tenants/add', fields).catch(() => null)
    if (!answer) return
    if (answer.status === 302) acknowledged.push(name)
    else if (first.child.exitCode === null)
      throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
    if (acknowledged.length === TENANTS / 2) first.child.kill('SIGKILL')
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, createSome))

const second = await startProcess(dataDir, port)
const found = new Set<string>()
for (let page = 1, before = -1; found.size > before; page++) {
  before = found.size
  const html = await (await visitor.visit(`/tenants?q=Durable&order=name:asc&page=${page}`)).text()
  for (const [name] of html.matchAll(/Durable \d{4}/g)) found.add(name)
}
second.child.kill('SIGTERM')
await new Promise((done) => second.child.once('exit', done))
rmSync(dataDir, { recursive: true, force: true })

const lost = acknowledged.filter((name) => !found.has(name))
console.log(`acknowledged ${acknowledged.length}, found ${found.size}, lost ${lost.length}; `)
console.log(`ready again ${Math.round(second.ready_in)} ms after the second start`)
const hasPassed = lost.length === 0 && acknowledged.length >= TENANTS / 2 && second.ready_in < 5000
console.log(hasPassed ? '1 passed, 0 failed' : '0 passed, 1 failed')
process.exit(hasPassed ? 0 : 1)
