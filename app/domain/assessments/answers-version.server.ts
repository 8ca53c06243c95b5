/** By what stands in a form one tells whether it was saved since somebody opened it. */
import { createHash } from 'node:crypto'
import type { Answers } from './answer.ts'

export const versionOf = (answers: Answers): string =>
  createHash('sha256').update(JSON.stringify(answers)).digest('base64url').slice(0, 22)
