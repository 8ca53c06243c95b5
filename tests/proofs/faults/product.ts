/** The built product in separate, watched processes: one that ends by itself is a miss, and is restarted. */
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { freePort, type Running, startProcess } from '#tests/support/process.ts'
import type { Findings } from './findings.ts'

export type Part = {
  name: string
  env: Record<string, string>
  port: number
  /** Undefined while it starts. */
  running: Running | undefined
  isStopped: boolean
}

export type Ended = { code: number | null; signal: string | null; ms: number }

/** After this many unexpected ends, the proof gives up. */
const MAX_RESTARTS = 40

export class Product {
  readonly parts: Part[] = []
  readonly #dataDir: string
  readonly #findings: Findings
  #restarts = 0

  constructor(dataDir: string, findings: Findings) {
    this.#dataDir = dataDir
    this.#findings = findings
  }

  async add(name: string, env: Record<string, string>, port?: number): Promise<Part> {
    const part = {
      name,
      env,
      port: port ?? (await freePort()),
      running: undefined,
      isStopped: false,
    }
    this.parts.push(part)
    await this.start(part)
    return part
  }

  /** Resolves when it is ready. */
  async start(part: Part): Promise<void> {
    part.isStopped = false
    const running = await startProcess(this.#dataDir, part.port, part.env)
    part.running = running
    for (const input of [running.child.stdout, running.child.stderr])
      if (input)
        createInterface({ input }).on('line', (line) => this.#findings.recent.push(`${part.name}: ${line}`))
    running.child.once('exit', (code, signal) => this.#onEnd(part, running, code, signal))
    // It may have ended between its first answer and now.
    if (running.child.exitCode !== null) this.#onEnd(part, running, running.child.exitCode, null)
  }

  /** Ends it, and resolves with how it ended. */
  end(part: Part, signal: 'SIGKILL' | 'SIGTERM'): Promise<Ended> {
    const began = performance.now()
    const child = part.running?.child
    part.isStopped = true
    return new Promise((resolve) => {
      if (!child || child.exitCode !== null || child.signalCode !== null)
        return resolve({ code: child?.exitCode ?? null, signal: null, ms: 0 })
      child.once('exit', (code, by) =>
        resolve({ code, signal: by, ms: Math.round(performance.now() - began) }),
      )
      child.kill(signal)
    })
  }

  /** For when the proof itself is aborted. */
  kill(): void {
    for (const part of this.parts) {
      part.isStopped = true
      part.running?.child.kill('SIGKILL')
    }
  }

  async stop(): Promise<Ended[]> {
    return Promise.all(this.parts.map((part) => this.end(part, 'SIGTERM')))
  }

  #onEnd(part: Part, running: Running, code: number | null, signal: string | null): void {
    if (part.isStopped || part.running !== running) return
    part.running = undefined
    this.#findings.tally().ended += 1
    const said = running.output().trimEnd().split('\n').slice(-4).join('\n').slice(-3000)
    this.#findings.miss(`the process "${part.name}" ended by itself (${signal ?? `code ${code}`})`, said)
    this.#restarts += 1
    if (this.#restarts > MAX_RESTARTS) throw new Error('The product ends by itself again and again.')
    this.start(part).catch((error) =>
      this.#findings.miss(`the process "${part.name}" did not start again`, String(error).slice(0, 2000)),
    )
  }
}
