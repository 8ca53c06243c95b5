/**
 * A sender in a separate process, to be killed. Its carrier writes each message's key to a file first and answers only
 * after a while: `node sender-process.ts <worker url> <file> <milliseconds>`.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '#app/db/connect.server.ts'
import type { Carrier } from '#app/integrations/carrier.ts'
import { startWorkers } from '#app/jobs/workers.server.ts'

const [workerUrl = '', file = '', silence = '0'] = process.argv.slice(2)
const carrier: Carrier = {
  sendsOncePerKey: false,
  async send({ key }) {
    appendFileSync(file, `${key}\n`)
    await sleep(Number(silence))
    return { provider_id: key }
  },
  async find({ key }) {
    const isThere = existsSync(file) && readFileSync(file, 'utf8').includes(`${key}\n`)
    return isThere ? { provider_id: key } : null
  },
}
await startWorkers({
  databases: { worker: connect(workerUrl, { max: 3 }), workerUrl },
  origin: 'https://learn.example',
  carriers: { sms: carrier, email: carrier },
  identityAdmin: {
    invite: async () => {
      throw new Error('Nobody is invited here.')
    },
    setEnabled: async () => {},
    changeEmail: async () => {},
    erase: async () => {},
    requireReset: async () => {},
    setSecondFactor: async () => {},
    signOutEverywhere: async () => {},
  },
  log: { info() {}, warn() {}, error() {} },
})
