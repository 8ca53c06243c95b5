import { expect, it } from 'vitest'
import { z } from 'zod'
import { offsetOf, paging, shownPage } from './page.ts'
import { inOurWords } from './text/plain-words.ts'

const Query = z.object(paging({ most: 24, usual: 6 }))

it('A query asks for the first page of the usual size by default', () => {
  expect(Query.parse({})).toEqual({ page: 1, per_page: 6 })
  expect(Query.parse({ page: '3', per_page: '24' })).toEqual({ page: 3, per_page: 24 })
  expect(z.object(paging()).parse({})).toEqual({ page: 1, per_page: 20 })
})

it.each([{ page: '0' }, { page: '1.5' }, { page: 'two' }, { page: '100001' }, { per_page: '25' }])(
  'A query for pages is refused for %j',
  (query) => {
    expect(Query.safeParse(query).success).toBe(false)
  },
)

it('A query for an invalid page says what is wrong with it', () => {
  const said = (page: unknown) =>
    inOurWords(Query.safeParse({ page }).error?.issues ?? [], { page }).map(({ message }) => message)
  expect(said('0')).toEqual(['Please enter at least 1'])
  expect(said('two')).toEqual(['Please give one whole number'])
})

it('The first page is shown if the page in an address is invalid', () => {
  expect(['2', '0', 'two', undefined].map((page) => shownPage.parse(page))).toEqual([2, 1, 1, 1])
})

it('A page begins after the rows of the pages before it', () => {
  expect(offsetOf({ page: 3, per_page: 20 })).toBe(40)
})
