/** Whoever comes while the process starts waits for a moment: a start is mostly over before they would ask again. */
import { setTimeout as pause } from 'node:timers/promises'
import type { RequestHandler } from 'express'

/** Of the ten seconds within which everybody has an answer. */
const PATIENCE_MS = 4000

export function createOpening() {
  const opened = Promise.withResolvers<void>()
  let isOver = false
  const wait: RequestHandler = (_req, _res, next) => {
    if (isOver) return next()
    void Promise.race([opened.promise, pause(PATIENCE_MS, undefined, { ref: false })]).then(() => next())
  }
  return {
    wait,
    end() {
      isOver = true
      opened.resolve()
    },
  }
}
