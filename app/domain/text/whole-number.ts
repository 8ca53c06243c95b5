import type { z } from 'zod'
import { figures } from './figures.ts'

/** A whole number between bounds, with a single message for each mistake. */
export const wholeNumber = <Number extends z.ZodNumber | z.ZodCoercedNumber>(
  number: Number,
  least: number,
  most: number,
): Number =>
  number
    .min(least, { error: `Please enter at least ${least}`, abort: true })
    .max(most, { error: `Please enter at most ${figures(most)}`, abort: true })
    .int('Please enter a whole number') as Number
