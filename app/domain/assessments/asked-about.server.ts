import { sql } from 'kysely'
import { type Scope, tenantWide } from '../scope/scope.server.ts'

/**
 * Whether a learner has assessments to look at: they, their sponsor or their peers were asked, or have a date on
 * which they will be. Learners do not see the forms of others.
 */
export const wasAskedAbout = (scope: Scope, subjectId: number): Promise<boolean> =>
  tenantWide(scope, async ({ db }) => {
    const form = await db
      .selectFrom('assessment_forms as f')
      .innerJoin('assessments as a', 'a.id', 'f.assessment_id')
      .select('f.id')
      .where('f.subject_id', '=', subjectId)
      .where((is) =>
        is.or([
          is('f.opened_at', 'is not', null),
          is('f.state', 'not in', ['not_open', 'closed']),
          is.and([
            is('f.rater', '!=', 'peers'),
            is('f.state', '=', 'not_open'),
            is('f.opens_at', '>', sql<Date>`scope_now()`),
            is.exists(
              is.selectFrom('assessment_items as i').whereRef('i.assessment_id', '=', 'a.id').select('i.id'),
            ),
          ]),
        ]),
      )
      .where((is) => is.or([is('f.rater', '!=', 'peers'), is('a.retired_on', 'is', null)]))
      .limit(1)
      .executeTakeFirst()
    return form !== undefined
  })
