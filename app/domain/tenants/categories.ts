import { z } from 'zod'
import { requiredLine } from '#app/domain/text/text.ts'

const MAX_CATEGORIES = 100

export const Categories = z
  .array(requiredLine(80))
  .max(MAX_CATEGORIES, `Please use at most ${MAX_CATEGORIES} categories`)
  .transform((words) => words.filter((word, at) => at === words.findIndex((other) => sameWord(word, other))))

const sameWord = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

export const CategoryLines = z
  .string()
  .optional()
  .transform((text, context) => {
    const parsed = Categories.safeParse((text ?? '').split(/\r?\n/).filter((word) => word.trim() !== ''))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    const message = issue?.message ?? 'Please check the categories'
    context.addIssue({ code: 'custom', message: issue?.path.length ? `Each category: ${message}` : message })
    return z.NEVER
  })
