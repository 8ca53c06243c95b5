import type { z } from 'zod'
import { toE164 } from '#app/domain/users/phone/phone.ts'
import type { OwnUserForm } from '#app/domain/users/user.ts'

/** An invalid number is sent as typed, so that the API reports the error. */
export const toBody = <Form extends z.output<typeof OwnUserForm>>({
  dial_code,
  mobile_phone: typed,
  ...rest
}: Form) => ({ ...rest, mobile_phone: typed ? (toE164(typed, dial_code) ?? typed) : typed })
