/** Metrics across all processes of this site: a worker process asks the primary, which adds them up. */
import cluster from 'node:cluster'
import { AggregatorRegistry } from 'prom-client'
import { registry } from './metrics.server.ts'

const PATIENCE_MS = 6_000

type Question = { measures: number }
type Answer = { measured: number; text: string | null }

if (cluster.isWorker) {
  AggregatorRegistry.setRegistries([registry])
  // From here on this process reports its own metrics when asked.
  new AggregatorRegistry()
}

let asked = 0

export function measureAll(): Promise<string> {
  if (!cluster.isWorker) return registry.metrics()
  const question: Question = { measures: ++asked }
  return new Promise((resolve, reject) => {
    const end = (text: string | null) => {
      clearTimeout(giveUp)
      process.off('message', hear)
      if (text === null) reject(new Error('The other processes could not be measured.'))
      else resolve(text)
    }
    const hear = (message: Partial<Answer> | null) =>
      message?.measured === question.measures && end(message.text ?? null)
    const giveUp = setTimeout(end, PATIENCE_MS, null)
    process.on('message', hear)
    process.send?.(question)
  })
}

export function answerMeasures(all: AggregatorRegistry<'text/plain; version=0.0.4; charset=utf-8'>): void {
  cluster.on('message', async (worker, message: Partial<Question> | null) => {
    if (message?.measures === undefined) return
    const text = await all.clusterMetrics().catch(() => null)
    worker.send({ measured: message.measures, text } satisfies Answer, () => {})
  })
}
