import { describe, expect, it } from 'vitest'
import { pagesAround, rangeOf } from './pager.tsx'
import { changeSearch } from './search.ts'

describe('The page links', () => {
  it('are the first, the last, and those next to the current page', () => {
    expect(pagesAround(1, 1)).toEqual([1])
    expect(pagesAround(1, 61)).toEqual([1, 2, 61])
    expect(pagesAround(7, 61)).toEqual([1, 6, 7, 8, 61])
    expect(pagesAround(61, 61)).toEqual([1, 60, 61])
  })

  it('are the first and the last if the current page is beyond the end', () => {
    expect(pagesAround(100, 3)).toEqual([1, 3])
  })
})

describe('The range of rows', () => {
  const at = (current_page: number, total: number, more: object = {}) =>
    rangeOf({ current_page, per_page: 20, total, total_pages: Math.ceil(total / 20), ...more })

  it('is shown with the total, which has a plus if counting stopped', () => {
    expect(at(2, 1204)).toBe('21-40 of 1,204')
    expect(at(1, 1)).toBe('1 of 1')
    expect(at(61, 1204)).toBe('1,201-1,204 of 1,204')
    expect(at(500, 10_000, { is_capped: true })).toBe('9,981-10,000 of 10,000+')
  })
})

describe('A changed search', () => {
  const search = new URLSearchParams('q=a%26b&role=admin&role=user&page=3')

  it('keeps unchanged parameters, and drops those set to null', () => {
    expect(changeSearch(search, { page: null })).toBe('?q=a%26b&role=admin&role=user')
    expect(changeSearch(search, { page: '4' })).toBe('?q=a%26b&role=admin&role=user&page=4')
  })

  it('can have several values for one name', () => {
    expect(changeSearch(search, { role: ['author', 'admin'], page: null })).toBe(
      '?q=a%26b&role=author&role=admin',
    )
    expect(changeSearch(search, { role: [], page: null })).toBe('?q=a%26b')
  })
})
