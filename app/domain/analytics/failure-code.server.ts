import { sql } from 'kysely'

/** Why the message of the fact `f` did not get through, as the code of its last one. */
export const failureCode = sql<string | null>`(
  select x.error_code from dispatches x where x.tenant_id = f.tenant_id and x.occurrence_id = f.occurrence_id
    and x.kind <> 'test' and case f.delivery when 'failed' then x.state in ('failed', 'undelivered')
      else x.state = f.delivery end
  order by x.id desc limit 1)`
