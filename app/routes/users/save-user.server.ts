/** From the form of a person to the body of a call. */
import type { z } from 'zod'
import type { OwnUserForm } from '#app/domain/users/user.ts'

/** What is empty is taken away. */
export function toBody<Form extends z.output<typeof OwnUserForm>>(form: Form) {
  const { mobile_phone, timezone, lock_version, ...rest } = form
  return {
    ...rest,
    mobile_phone: mobile_phone || null,
    timezone: timezone || null,
    ...(lock_version === undefined ? {} : { lock_version }),
  }
}
