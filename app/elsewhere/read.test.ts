import { expect, it } from 'vitest'
import { moment, pageOf, rowsOf } from './read.server.ts'

it.each([
  ['2026-11-20T09:30:00', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20 09:30:00', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T09:30:00.123456', '2026-11-20T09:30:00.123Z'],
  ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000Z'],
  ['2026-11-20T23:30:00+02:00', '2026-11-20T21:30:00.000Z'],
  ['2026-11-20 23:30:00-0130', '2026-11-21T01:00:00.000Z'],
  ['2026-11-20 23:30:00.123+00', '2026-11-20T23:30:00.123Z'],
  ['2026-11-20T23:30:00 +02:00', '2026-11-20T21:30:00.000Z'],
  ['2026-11-20 23:30:00 UTC', '2026-11-20T23:30:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  [1_795_000_000, '2026-11-18T11:06:40.000Z'],
  ['yesterday', null],
  [null, null],
  [undefined, null],
])('A moment sent as %s is read as UTC, or as null if it is invalid', (sent, wanted) =>
  expect(moment(sent)).toBe(wanted),
)

it.each([null, 'text', 7, {}, { data: null }, { data: 'x' }])('An answer of %o has no rows', (sent) => {
  expect(rowsOf(sent)).toEqual([])
  expect(pageOf(sent, 0)).toMatchObject({ current_page: 1, total_pages: 1, total: 0 })
})

it.each([
  [
    { current_page: -4, total_pages: -2 },
    { current_page: 1, total_pages: 1, total: 10 },
  ],
  [
    { current_page: '2', total_pages: '3' },
    { current_page: 2, total_pages: 3, total: 30 },
  ],
  [
    { total_pages: 3, total: 24, per_page: 10 },
    { current_page: 1, total_pages: 3, total: 24 },
  ],
  [
    { total_pages: 3, total: -5, per_page: 10 },
    { current_page: 1, total_pages: 3, total: 30 },
  ],
])('Missing and invalid page numbers are completed: %o', (pagination, wanted) =>
  expect(pageOf({ data: [], pagination }, 10)).toMatchObject(wanted),
)

it('A row that is sent twice is listed once', () => {
  const data = [{ id: 7, name: 'A' }, { id: '7' }, { id: 7, name: 'B' }, { name: 'C' }, { name: 'D' }]
  expect(rowsOf({ data })).toEqual([{ id: 7, name: 'A' }, { id: '7' }, { name: 'C' }, { name: 'D' }])
})
