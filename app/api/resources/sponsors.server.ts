import * as calls from '#app/api/contract/sponsors.ts'
import { serve } from '#app/api/serve.server.ts'
import { changeCommitment, listOwnCommitments } from '#app/domain/lifts/commitments.server.ts'
import { getSponsorBrief } from '#app/domain/sponsors/brief.server.ts'
import { acknowledge, encourage } from '#app/domain/sponsors/saying.server.ts'
import {
  getLearnerForSponsor,
  getSponsorsJourney,
  listSponsoredJourneys,
} from '#app/domain/sponsors/sponsored.server.ts'

export const sponsors = serve(calls, {
  listSponsoredJourneys: ({ scope }) => listSponsoredJourneys(scope),
  getSponsorBrief: ({ scope }) => getSponsorBrief(scope),
  getSponsorsJourney: ({ scope, found, query }) => getSponsorsJourney(scope, found, query),
  getLearnerForSponsor: ({ scope, found, query }) => getLearnerForSponsor(scope, found, query),
  encourage: ({ scope, ids, body }) => encourage(scope, ids.id, body),
  acknowledge: ({ scope, ids, query }) => acknowledge(scope, ids.id, query.seen),
  listOwnCommitments: ({ scope, query }) => listOwnCommitments(scope, query),
  changeCommitment: ({ scope, ids, body }) => changeCommitment(scope, ids.id, body),
})
