import { z } from 'zod'

export const MAX_PER_PAGE = 100
export const DEFAULT_PER_PAGE = 20
/** The last page number that is accepted; filters lead there sooner. */
const MAX_PAGE = 100_000

const wholeNumber = (most: number) =>
  z.coerce
    .number({
      error: ({ code }) => (code === 'invalid_type' ? 'Please give one whole number' : undefined),
    })
    .int()
    .min(1)
    .max(most)

export const pageNumber = wholeNumber(MAX_PAGE).default(1)

/** The page that the API is asked for, and its number of rows. */
export const paging = ({ most = MAX_PER_PAGE, usual = DEFAULT_PER_PAGE } = {}) => ({
  page: pageNumber,
  per_page: wholeNumber(most).default(usual),
})
/** The page that a screen shows: an invalid number becomes the first page. */
export const shownPage = pageNumber.catch(1)

export const Pagination = z.object({
  current_page: z.number().int(),
  total_pages: z.number().int(),
  total: z.number().int(),
  per_page: z.number().int(),
  /** Counting stopped at `total`: the rows beyond it are on no page, and are found with filters. */
  is_capped: z.boolean().optional(),
})
export type Pagination = z.infer<typeof Pagination>

export const pageOf = <Row extends z.ZodType>(row: Row) =>
  z.object({ data: z.array(row), pagination: Pagination })

/** A text in PostgreSQL cannot contain NUL. */
export const SearchWords = z
  .string()
  .trim()
  .max(200)
  .regex(/^[^\0]*$/, 'Please remove the control characters')

/** Comma-separated numbers in a query. */
export const NumberList = z
  .string()
  .regex(/^\d{1,15}(,\d{1,15}){0,99}$/, 'At most 100 numbers, with commas between')
  .transform((ids) => ids.split(',').map(Number))

/** The query of a list in the API. Unknown orders are refused (422). */
export const pageQuery = <Column extends string>(columns: readonly [Column, ...Column[]]) =>
  z.object({
    ...paging(),
    order_by: z.enum(columns).default(columns[0]),
    order: z.enum(['asc', 'desc']).default('desc'),
    q: SearchWords.default(''),
  })
export type PageQuery<Column extends string = string> = {
  page: number
  per_page: number
  order_by: Column
  order: 'asc' | 'desc'
  q: string
}

/** The search parameters of a list's screen: whatever is wrong becomes the default. */
export const pageSearch = <Column extends string>(columns: readonly [Column, ...Column[]]) => ({
  page: shownPage,
  order: z
    .string()
    .refine((value) => parseOrder(value, columns) !== null)
    .catch(`${columns[0]}:desc`),
  q: SearchWords.catch(''),
})

export function parseOrder<Column extends string>(
  value: string,
  columns: readonly Column[],
): { order_by: Column; order: 'asc' | 'desc' } | null {
  const [name, direction = 'desc', ...rest] = value.split(':')
  const column = columns.find((one) => one === name)
  if (!column || rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) return null
  return { order_by: column, order: direction }
}

/** `cap`: how far an unbounded list is counted and paged through. */
export function paginate(
  counted: number,
  query: { page: number; per_page: number },
  cap = Number.POSITIVE_INFINITY,
): Pagination {
  const total = Math.min(counted, cap)
  const total_pages = Math.max(1, Math.ceil(total / query.per_page))
  const { page, per_page } = query
  return { current_page: page, total_pages, total, per_page, ...(counted > cap ? { is_capped: true } : {}) }
}

export const offsetOf = ({ page, per_page }: { page: number; per_page: number }): number =>
  (page - 1) * per_page
