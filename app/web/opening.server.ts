/** Requests that arrive while the process starts wait for a moment: most starts are over before a client would retry. */
import { setTimeout as pause } from 'node:timers/promises'
import type { RequestHandler } from 'express'

/** Part of the ten seconds within which every request is answered. */
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
