import type { ApiClient } from '#app/api/client.server.ts'
import { getSecurity } from '#app/api/contract/people/security.ts'

/** Masked: where codes to sign in are texted, whatever number is on file; null where they are not. */
export async function numberOfCodes(api: ApiClient): Promise<string | null> {
  const { preferred, phone } = await api(getSecurity)
  return preferred === 'SMS_MFA' ? phone : null
}
