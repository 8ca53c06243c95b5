/** `npm run facts:rederive`: derives the facts of analytics again, and says how many were wrong. */
import { getConfig } from '#app/config.server.ts'
import { connect } from '#app/db/connect.server.ts'
import { findRunningUrl } from '#app/db/running-url.server.ts'
import { rederiveLearners } from '#app/domain/journeys/learner-tallies.server.ts'
import { rederiveTallies } from '#app/domain/journeys/tallies.server.ts'
import { listJourneysWithFacts, rederiveFacts } from '#app/domain/occurrences/facts.server.ts'
import { inScope, operatorActor, systemActor } from '#app/domain/scope/scope.server.ts'
import { report } from './report.ts'

async function run(): Promise<string> {
  const database = connect(await findRunningUrl(getConfig(), 'worker'), { max: 1, name: 'liftwell facts' })
  try {
    const tenants = await inScope(database, operatorActor(), ({ db }) =>
      db.selectFrom('tenants').select('id').execute(),
    )
    let [facts, wrong] = [0, 0]
    for (const { id } of tenants) {
      const inTenant = <Result>(work: Parameters<typeof inScope<Result>>[2]) =>
        inScope(database, systemActor(id), work)
      for (const journey of await inTenant(listJourneysWithFacts)) {
        facts += journey.facts
        wrong += await inTenant((scope) => rederiveFacts(scope, journey.id))
        wrong += await inTenant((scope) => rederiveTallies(scope, journey.id))
      }
      wrong += await inTenant(rederiveLearners)
    }
    return wrong === 0 ? `${facts} facts, each as it was.` : `${facts} facts; ${wrong} rows were put right.`
  } finally {
    await database.destroy()
  }
}

await report(run())
