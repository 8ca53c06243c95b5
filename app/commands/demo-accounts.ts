/** `npm run demo:accounts [-- --json]`: the accounts of the demo in this data folder. */
import { getConfig } from '#app/config.server.ts'
import { describeAccounts, readDemoAccounts } from '../demo/accounts.server.ts'

const accounts = await readDemoAccounts(getConfig().DATA_DIR)
if (!accounts) {
  process.stderr.write('There is no demo in this data folder yet: `npm start` makes one.\n')
  process.exit(1)
}
const text = process.argv.includes('--json') ? JSON.stringify(accounts, null, 2) : describeAccounts(accounts)
process.stdout.write(`${text}\n`)
