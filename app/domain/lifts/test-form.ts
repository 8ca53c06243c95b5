/** The numbers that a test of a lift is sent to, as an author types them. */
import { z } from 'zod'
import { line, REQUIRED } from '#app/domain/text/text.ts'
import { toE164 } from '../users/phone/phone.ts'
import { SendTestInput } from './page.ts'

export const TestForm = z.object({
  phones: z
    .string(REQUIRED)
    .max(500)
    .transform((typed, context) => {
      const phones = typed.split(/[\n,;]+/).filter((one) => one.trim() !== '')
      return phones.map((one) => {
        const phone = toE164(one) ?? one.replace(/[\s()./-]/g, '')
        if (!SendTestInput.safeParse({ phones: [phone] }).success) wrong(context, one)
        return phone
      })
    })
    .pipe(SendTestInput.shape.phones),
})

const wrong = (context: z.core.$RefinementCtx, typed: string) =>
  context.addIssue({
    code: 'custom',
    message: `“${line(40).safeParse(typed.slice(0, 40)).data ?? typed.length}” is not a phone number. Begin with + and the country code, like +41 79 123 45 67.`,
  })
