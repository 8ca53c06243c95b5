/** Starts Liftwell in a separate process, as `npm start` does, with its own data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoAccount } from '#app/demo/accounts.server.ts'

export type Running = {
  child: ChildProcess
  origin: string
  /** Milliseconds from the start until /readyz answered 200. */
  ready_in: number
  output(): string
}

/** `detached`: in its own process group, as at a terminal. */
type Way = { script?: 'start' | 'serve:web' | 'dev'; detached?: boolean }

export function beginProcess(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
  { script = 'start', detached = false }: Way = {},
): Pick<Running, 'child' | 'output'> {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const child = spawn('/bin/sh', ['-c', scripts[script]], {
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${resolve('node_modules/.bin')}:${process.env.PATH}`,
      NODE_ENV: 'production',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk))
  return { child, output: () => printed }
}

/** Resolves when it is ready; throws with its output if it ends before. */
export async function startProcess(
  dataDir: string,
  port: number,
  env: Record<string, string> = {},
  script: Way['script'] = 'start',
): Promise<Running> {
  const began = performance.now()
  const { child, output } = beginProcess(dataDir, port, env, { script })
  const origin = `http://localhost:${port}`
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output()}`)
    if (performance.now() - began > 240_000) {
      // Killed, because otherwise it would keep the port and the data folder.
      child.kill('SIGKILL')
      throw new Error(`it is not ready after four minutes: ${output()}`)
    }
    await sleep(25)
  }
  return { child, origin, ready_in: performance.now() - began, output }
}

/** Resolves after a clean shutdown. */
export async function stopProcess({ child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/readyz`).catch(() => null)
  return answer?.status === 200
}

export const readAccounts = (dataDir: string): DemoAccount[] =>
  JSON.parse(readFileSync(join(dataDir, 'demo-accounts.json'), 'utf8'))

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((done) => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address() as AddressInfo
  await new Promise((done) => probe.close(done))
  return port
}
