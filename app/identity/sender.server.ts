/** Sends mails and texts after the response, so that response times do not reveal who has an account. */
import { randomUUID } from 'node:crypto'
import type { Doorkeeper, House } from './door.ts'

type Log = Record<'warn', (facts: object, message: string) => void>

export function createSender(log: Log) {
  const underWay = new Set<Promise<void>>()

  function later(work: () => Promise<void>): void {
    const done = new Promise<void>((resolve) => setImmediate(resolve))
      .then(work)
      .catch((error) => log.warn({ err: error }, 'identity: a message could not be handed over'))
      .finally(() => underWay.delete(done))
    underWay.add(done)
  }

  return {
    later,
    sendBy:
      (deliver: House['deliver']): Doorkeeper['send'] =>
      ({ pool_id: pool, sub }, to, letter) =>
        later(() => deliver({ pool, sub, ...to, ...letter, key: `identity:${randomUUID()}` })),
    async finish() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
