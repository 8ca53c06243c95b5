/** The file that marks a folder as a complete backup. */
import { z } from 'zod'

export const NOTE = 'backup.json'

export const BackupNote = z.object({
  format: z.literal(1),
  made_at: z.iso.datetime(),
  postgresql: z.string(),
})
export type BackupNote = z.infer<typeof BackupNote>
