/** Builds the bare page, and starts it. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const FOLDER = import.meta.dirname
const CLI = join(FOLDER, '../../../node_modules/@remix-run/dev/dist/cli.js')

export async function startBare(port: number) {
  const env = { ...process.env, NODE_ENV: 'production' as const }
  execFileSync(process.execPath, [CLI, 'vite:build'], { cwd: FOLDER, env, stdio: 'pipe' })
  const child = fork(join(FOLDER, 'server.ts'), { env: { ...env, PORT: String(port) } })
  await once(child, 'message')
  return { origin: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => void child.kill() }
}
