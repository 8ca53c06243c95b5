/** Reads the refusal that an action or a loader threw. */

export type Refusal = { status: number; headers: Headers; body: unknown }

/** Null for a failure. A thrown response can still be read afterwards. */
export async function refusalIn(error: unknown): Promise<Refusal | null> {
  if (error instanceof Response) {
    const { status, headers } = error
    return { status, headers, body: error.bodyUsed ? null : parsed(await error.clone().text()) }
  }
  if (typeof error !== 'object' || error === null || !('init' in error && 'data' in error)) return null
  const { status = 200, headers } = (error.init ?? {}) as ResponseInit
  return { status, headers: new Headers(headers), body: error.data }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
