/** What a launch would send now, and how many recipients are in quiet hours. */

import type { Journey } from '../journeys/journey.ts'
import { unmailedIn } from '../mail-stops/asking.server.ts'
import { type Learner, listLearners } from '../planning/learners.server.ts'
import { draftOccurrences } from '../planning/plan.server.ts'
import { readPlannedLifts } from '../planning/planned-journey.server.ts'
import { sampleMembers } from '../planning/preview/edit-impact.server.ts'
import { nowIn } from '../scope/clock.server.ts'
import { type Scope, tenantWide } from '../scope/scope.server.ts'
import { quietZones } from '../sending/quiet-zones.server.ts'
import type { LaunchForecast } from './timeline.ts'

/** `liftIds`: lifts sent with the launch, and past ones if they are to be sent. */
export const forecastLaunch = (
  scope: Scope,
  journey: Journey,
  liftIds: readonly number[],
): Promise<LaunchForecast> => tenantWide(scope, (whole) => forecast(whole, journey, liftIds))

async function forecast(scope: Scope, journey: Journey, liftIds: readonly number[]): Promise<LaunchForecast> {
  const sample = liftIds.length > 0 ? await sampleMembers(scope, journey.id, liftIds.length) : null
  const learners = await listLearners(scope, journey, sample?.ids)
  const now = nowIn(scope)
  const drafts = await draftOccurrences(scope, journey, await readPlannedLifts(scope, liftIds), learners, {
    ...{ past: 'send_now', at_once: true, now },
  })
  const unmailed = await unmailedIn(scope, journey.id)
  const isQuiet = await quietZones(scope, journey.id)
  const leaving = drafts.filter(
    ({ by_hand, plan, learner }) =>
      by_hand &&
      plan.send_at &&
      !plan.expired &&
      !(learner.channel === 'email' && unmailed.has(learner.user_id)),
  )
  const people = [...new Map(leaving.map(({ learner }) => [learner.id, learner])).values()]
  const isNow = ({ plan }: (typeof leaving)[number]) => plan.send_at !== null && plan.send_at <= now
  const by = (channel: Learner['channel']) =>
    leaving.filter((occurrence) => occurrence.learner.channel === channel)
  const all = (count: number) =>
    sample ? Number((count * (sample.of / sample.ids.length)).toPrecision(2)) : count
  const untexted = learners.filter((learner) => learner.fell_back)
  const unnumbered = untexted.filter(({ mobile_phone }) => mobile_phone === null).length
  return {
    learners: all(people.length),
    emails: all(by('email').length),
    texts: all(by('sms').filter(isNow).length),
    texts_waiting: all(by('sms').filter((occurrence) => !isNow(occurrence)).length),
    in_app: all(by('in_app').length),
    asleep: all(people.filter(({ zone }) => isQuiet(zone)).length),
    without_number: all(unnumbered),
    without_consent: all(untexted.length - unnumbered),
    without_zone: all(learners.filter(({ zone }) => zone === null).length),
    is_estimate: sample !== null,
  }
}
