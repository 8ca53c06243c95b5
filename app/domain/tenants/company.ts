/** What a company settles about itself: its name, look, categories and time zone. */
import { z } from 'zod'
import { requiredLine } from '#app/domain/text.ts'
import { Categories, CategoryLines } from './categories.ts'
import { LogoFile, LogoInput } from './logo.ts'
import { TimeZone } from './timezone.ts'

/** What is left out stays as it is; a logo of null is taken away. */
export const CompanyInput = z.object({
  name: requiredLine(120).optional(),
  logo: LogoInput.nullable().optional(),
  categories: Categories.optional(),
  /** A part of a company without a zone of its own follows the company. */
  timezone: TimeZone.nullable().optional(),
  /** Whether authors begin journeys of their own, as drafts. */
  authors_may_create_drafts: z.boolean().optional(),
  lock_version: z.number().int().min(0).optional(),
})
export type CompanyInput = z.infer<typeof CompanyInput>

/** The same as a form sends it: the logo is a file, the categories are lines. */
export const CompanyForm = z.object({
  name: requiredLine(120),
  logo: LogoFile.optional(),
  remove_logo: z.boolean().default(false),
  categories: CategoryLines,
  timezone: TimeZone.optional(),
  authors_may_create_drafts: z.boolean().default(false),
  lock_version: z.number().int().min(0),
})
