/** From the form of a person to the body of a call. */
import type { z } from 'zod'
import { toE164 } from '#app/domain/users/phone.ts'
import type { OwnUserForm } from '#app/domain/users/user.ts'

/** What is empty is taken away; what cannot be a number is sent as it was typed, and the API says what is wrong with it. */
export function toBody<Form extends z.output<typeof OwnUserForm>>(form: Form) {
  const { dial_code, mobile_phone: typed, timezone, lock_version, ...rest } = form
  const mobile_phone = toE164(typed, dial_code) ?? typed
  return {
    ...rest,
    mobile_phone: mobile_phone || null,
    timezone: timezone || null,
    ...(lock_version === undefined ? {} : { lock_version }),
  }
}
