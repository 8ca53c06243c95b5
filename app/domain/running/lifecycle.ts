import { z } from 'zod'
import { RESUME_MODES } from '../planning/resume.ts'

export const ResumeInput = z.strictObject({ mode: z.enum(RESUME_MODES).default('shift') })
export type ResumeInput = z.infer<typeof ResumeInput>
