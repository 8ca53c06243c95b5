/**
 * Jobs and the sender with real carriers in a separate process, to be killed: `node carriers-process.ts <setting>`,
 * with the secret, the worker's database URL and the carriers' configuration.
 */
import { setSecret, unseal } from '#app/auth/seal.server.ts'
import { connect } from '#app/db/connect.server.ts'
import type { IdentityAdmin } from '#app/integrations/identity-admin.ts'
import { startWorkers } from '#app/jobs/workers.server.ts'
import { createCarriers } from '#app/process/carriers.server.ts'

const { secret, workerUrl, config } = JSON.parse(process.argv[2] ?? '')
setSecret(secret)
const log = { info() {}, warn() {}, error() {} }
const worker = connect(workerUrl, { max: 5 })
await startWorkers({
  databases: { worker, workerUrl },
  origin: config.PUBLIC_ORIGIN,
  carriers: createCarriers({ config, databases: { worker }, log }),
  // This process invites nobody.
  identityAdmin: {} as IdentityAdmin,
  unseal,
  log,
})
