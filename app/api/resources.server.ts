/** Which resource stands at which path. */
import type { createRouter } from './env.server.ts'

type Resource = readonly [path: string, router: ReturnType<typeof createRouter>]

/** Answered without a token. */
export const publicResources: readonly Resource[] = []

export const resources: readonly Resource[] = []
