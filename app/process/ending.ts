/** Ends the work that runs before the server does. Imports only Node's own modules, because it runs before the build. */
import { constants } from 'node:os'

/** When one of them fails, the others are aborted and waited for. */
export async function together(
  signal: AbortSignal,
  works: ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController()
  const either = AbortSignal.any([signal, failed.signal])
  const begun = works.map((work) => work(either).catch((error) => failed.abort(error)))
  await Promise.all(begun)
  failed.signal.throwIfAborted()
}

/** A signal aborts the work, at whatever stage, and then ends the process. */
export async function endOnSignals(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const leaving = new AbortController()
  const leave = (name: 'SIGTERM' | 'SIGINT') => leaving.abort(128 + constants.signals[name])
  process.on('SIGTERM', leave).on('SIGINT', leave)
  try {
    await work(leaving.signal)
  } catch (error) {
    if (!leaving.signal.aborted) throw error
  }
  if (leaving.signal.aborted) process.exit(leaving.signal.reason)
  process.off('SIGTERM', leave).off('SIGINT', leave)
}
