/** Keeps the queue of generic jobs running: graphile-worker ends by itself when the database is away for long. */
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Runner, type RunnerOptions, run, type WorkerEvents } from 'graphile-worker'
import type { JobLog } from './context.ts'
import type { Pulse } from './pulse.server.ts'

const AGAIN_AFTER_MS = 1_000

type Setting = {
  options: RunnerOptions
  log: JobLog
  pulse: Pulse
  onStart(queueId: string): void
}

export async function keepQueue({
  options,
  log,
  pulse,
  onStart,
}: Setting): Promise<{ stop(): Promise<void> }> {
  let isStopping = false
  let runner: Runner | undefined

  async function start(): Promise<void> {
    const events: WorkerEvents = new EventEmitter()
    events.on('pool:create', ({ workerPool }) => onStart(workerPool.id))
    let isAnswered = false
    const answered = () => {
      isAnswered = true
      pulse.done('queue')
    }
    events.on('worker:getJob:start', () => pulse.begin('queue'))
    events.on('worker:getJob:empty', answered)
    events.on('job:start', answered)
    // A runner whose first question fails keeps that failure and never asks again: it has to be replaced.
    events.once('worker:getJob:error', () => {
      if (!isAnswered) void starting.then((begun) => begun.stop()).catch(() => {})
    })
    const starting = run({
      ...options,
      events,
      // Writes each outcome at once and retries it: in batches, an outcome that could not be written would be lost.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    })
    runner = await starting
    runner.promise.catch(() => {}).then(startAgain)
  }

  async function startAgain(): Promise<void> {
    pulse.begin('queue')
    while (!isStopping) {
      await sleep(AGAIN_AFTER_MS, undefined, { ref: false })
      try {
        return await start()
      } catch (err) {
        log.error({ event: 'queue.failed', err })
      }
    }
  }

  await start()
  return {
    async stop() {
      isStopping = true
      await runner?.stop()
    },
  }
}
