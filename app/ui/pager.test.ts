import { describe, expect, it } from 'vitest'
import { pagesAround } from './pager.tsx'
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
