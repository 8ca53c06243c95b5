import { describe, expect, it } from 'vitest'
import { pagesAround, rangeOf } from './pager.tsx'
import { changeSearch } from './search.ts'

describe('Pages', () => {
  it('are the first, the last, and those beside the current one', () => {
    expect(pagesAround(1, 1)).toEqual([1])
    expect(pagesAround(1, 61)).toEqual([1, 2, 61])
    expect(pagesAround(7, 61)).toEqual([1, 6, 7, 8, 61])
    expect(pagesAround(61, 61)).toEqual([1, 60, 61])
  })

  it('are numbered for one who asks beyond the end', () => {
    expect(pagesAround(100, 3)).toEqual([1, 3])
  })
})

describe('The range', () => {
  const at = (current_page: number, total: number, more: object = {}) =>
    rangeOf({ current_page, per_page: 20, total, total_pages: Math.ceil(total / 20), ...more })

  it('is said with the whole, which has a plus where counting stopped', () => {
    expect(at(2, 1204)).toBe('21-40 of 1,204')
    expect(at(1, 1)).toBe('1 of 1')
    expect(at(61, 1204)).toBe('1,201-1,204 of 1,204')
    expect(at(500, 10_000, { is_capped: true })).toBe('9,981-10,000 of 10,000+')
  })
})

describe('A changed search', () => {
  const search = new URLSearchParams('q=a%26b&role=admin&role=user&page=3')

  it('keeps what is not changed, and drops what is null', () => {
    expect(changeSearch(search, { page: null })).toBe('?q=a%26b&role=admin&role=user')
    expect(changeSearch(search, { page: '4' })).toBe('?q=a%26b&role=admin&role=user&page=4')
  })

  it('takes several values of one name', () => {
    expect(changeSearch(search, { role: ['author', 'admin'], page: null })).toBe(
      '?q=a%26b&role=author&role=admin',
    )
    expect(changeSearch(search, { role: [], page: null })).toBe('?q=a%26b')
  })
})
