import { describe, expect, it } from 'vitest'
import { Categories, CategoryLines } from './categories.ts'
import { AdminRows, TenantInput, TenantSearch } from './tenant.ts'
import { canonicalTimeZone, TIME_ZONES } from './timezone.ts'

describe('A time zone', () => {
  it.each([
    ['europe/vienna', 'Europe/Vienna'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['US/Pacific', 'America/Los_Angeles'],
    ['Etc/UTC', 'UTC'],
  ])('%s is stored as %s', (given, kept) => {
    expect(canonicalTimeZone(given)).toBe(kept)
  })

  it.each(['', 'Mars/Olympus', '+05:30', 'Europe', 'UTC+1', '../etc/passwd', 'Europe/Vienna\u0000'])(
    '%j is rejected',
    (given) => {
      expect(canonicalTimeZone(given)).toBeNull()
    },
  )

  it('of the list is stored under its own name, and listed once', () => {
    expect(TIME_ZONES.filter((zone) => canonicalTimeZone(zone) !== zone)).toEqual([])
    expect(new Set(TIME_ZONES).size).toBe(TIME_ZONES.length)
  })
})

describe('Categories', () => {
  it('are the lines of a text, in order and without duplicates', () => {
    expect(CategoryLines.parse(' Sales \r\n\r\nSafety\nsales\n')).toEqual(['Sales', 'Safety'])
    expect(CategoryLines.parse(undefined)).toEqual([])
  })

  it('are limited in length and number', () => {
    expect(CategoryLines.safeParse('x'.repeat(81)).error?.issues[0]?.path).toEqual([])
    expect(Categories.safeParse(Array.from({ length: 101 }, String)).success).toBe(false)
  })
})

describe('The rows of new administrators', () => {
  it('are ignored if they are blank', () => {
    expect(AdminRows.parse([{}, { first_name: 'Eve', email: ' Eve@A.example ' }])).toHaveLength(1)
  })

  it('need a first name and an e-mail address if anything is entered', () => {
    const issues = AdminRows.safeParse([{ last_name: 'Only' }]).error?.issues.map((issue) =>
      issue.path.join('.'),
    )
    expect(issues).toEqual(['0.first_name', '0.email'])
  })
})

describe('The name of a tenant', () => {
  it('can be in any script, and cannot have control characters', () => {
    for (const name of ['Ærø & Söhne', '株式会社', 'شركة', '👩‍🚀 Space'])
      expect(TenantInput.parse({ name }).name).toBe(name)
    for (const name of ['a\u0000b', 'a\nb', '\u200b', '\ud800'])
      expect(TenantInput.safeParse({ name }).success).toBe(false)
  })
})

describe('The search parameters of the list', () => {
  it('fall back to their defaults if they are invalid', () => {
    const given = { page: '1e308', order: 'drop:table', q: 'x'.repeat(300), role: 7 }
    expect(TenantSearch.parse(given)).toEqual({ page: 1, order: 'date:desc', q: '', role: [] })
    expect(TenantSearch.parse({ page: '2', order: 'name:asc', q: ' a ' })).toMatchObject({
      page: 2,
      order: 'name:asc',
      q: 'a',
    })
  })
})
