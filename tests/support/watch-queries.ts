/** Records the statements that the application sends, in its driver. */
import pg from 'pg'
import { vi } from 'vitest'

/** `isAnew`: has values and no name, so it is parsed each time. */
export type Sent = { text: string; isAnew: boolean }

const APPLICATION = /^liftwell[ -](app|identity)/

/** Call it before connections are made: each keeps the `query` it began with. Connections of the jobs are ignored. */
export function watchQueries(): Sent[] {
  const sent: Sent[] = []
  const { query } = pg.Client.prototype
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...all: unknown[]) {
    const [first, values] = all as [string | { text: string }, unknown[]?]
    const { connectionParameters } = this as unknown as { connectionParameters: { application_name: string } }
    if (APPLICATION.test(connectionParameters.application_name))
      sent.push(
        typeof first === 'string'
          ? { text: first, isAnew: Boolean(values?.length) }
          : { text: first.text, isAnew: false },
      )
    return query.apply(this, all as never)
  } as never)
  return sent
}
