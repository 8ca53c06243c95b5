import { addJob } from '#app/db/queue.server.ts'
import type { Scope } from '#app/domain/scope/scope.server.ts'

/** A job counts people and journeys every few minutes anyway; a new tenant has its numbers at once. */
export const countSoon = ({ db }: Scope): Promise<void> =>
  addJob(db, 'count-tenants', {}, { key: 'count-tenants' })
