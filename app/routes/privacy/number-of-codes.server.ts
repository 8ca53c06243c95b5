import type { ApiClient } from '#app/api/client.server.ts'
import { getSecurity } from '#app/api/contract/people/security.ts'

/** The masked number that sign-in codes are texted to, which can differ from the number on file; null if none are. */
export async function numberOfCodes(api: ApiClient): Promise<string | null> {
  const { preferred, phone } = await api(getSecurity)
  return preferred === 'SMS_MFA' ? phone : null
}
