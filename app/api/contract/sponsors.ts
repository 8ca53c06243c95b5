/** Sponsors and their learners; the learners' commitments. */
import { z } from 'zod'
import { Commitment, CommitmentChange, CommitmentQuery, Commitments } from '#app/domain/lifts/commitment.ts'
import { SponsorBrief } from '#app/domain/sponsors/brief.ts'
import {
  Encouragement,
  EncouragementInput,
  LearnerForSponsor,
  SeenHistory,
  SponsoredJourneys,
  SponsoredQuery,
  SponsorsJourney,
} from '#app/domain/sponsors/sponsored.ts'
import { callsAbout } from './call.ts'
import { NumericId, oneId } from './parts.ts'

const { get, post, patch } = callsAbout('Sponsors')

export const listSponsoredJourneys = get('/sponsors_journeys', {
  does: 'The journeys in which the one who is signed in sponsors learners',
  may: 'signed in',
  answers: SponsoredJourneys,
})

export const getSponsorBrief = get('/sponsors_journeys/brief', {
  does: 'Which of the caller’s learners need attention, and why; their pending assessments',
  may: 'signed in',
  answers: SponsorBrief,
})

export const getSponsorsJourney = get('/sponsors_journeys/{id}', {
  does: 'The caller’s learners in a journey, and how far they are',
  may: 'sponsor journey',
  ids: oneId,
  query: SponsoredQuery,
  answers: SponsorsJourney,
})

export const getLearnerForSponsor = get('/sponsors_journeys/{id}/learners/{userId}', {
  does: 'One of the caller’s learners: lifts, commitments, and the answers that sponsors can read',
  may: 'sponsor learner',
  ids: z.object({ id: NumericId, userId: NumericId }),
  query: SponsoredQuery,
  answers: LearnerForSponsor,
})

export const encourage = post('/lljs/{id}/encouragements', {
  does: 'Send a few words to one of the caller’s learners, once a day',
  may: 'sponsor journey',
  ids: oneId,
  body: EncouragementInput,
  answers: Encouragement,
  status: 201,
  audited: true,
})

export const acknowledge = post('/commitments/{id}/acknowledge', {
  does: 'Tell a learner that their sponsor saw a commitment',
  remark: 'With `seen`, the length of the history that was shown, only if nothing was added to it meanwhile.',
  may: 'sponsor commitment',
  ids: oneId,
  query: SeenHistory,
  answers: Commitment,
  audited: true,
})

export const listOwnCommitments = get('/learner/commitments', {
  does: 'The caller’s open commitments, those closed recently, or both',
  may: 'signed in',
  query: CommitmentQuery,
  answers: Commitments,
})

export const changeCommitment = patch('/learner/commitments/{id}', {
  does: 'Mark a commitment as done, let go, or open again',
  may: 'keep commitment',
  ids: oneId,
  body: CommitmentChange,
  answers: Commitment,
  audited: true,
})
