/** A version of a form's answers, to detect that they were saved since somebody opened the form. */
import { createHash } from 'node:crypto'
import type { Answers } from './answer.ts'

export const versionOf = (answers: Answers): string =>
  createHash('sha256').update(JSON.stringify(answers)).digest('base64url').slice(0, 22)
