/** What the application asks of the database, as its driver sends it. */
import pg from 'pg'
import { vi } from 'vitest'

/** `isAnew`: it has values and no name, so it is parsed each time. */
export type Sent = { text: string; isAnew: boolean }

const APPLICATION = /^liftwell[ -](app|identity)/

/** To be called before a connection is made: each keeps the `query` of its day. The jobs have connections of their own. */
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
