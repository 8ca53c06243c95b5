import { describe, expect, it } from 'vitest'
import { backAddress, besideAddress, listAddress, rowAddress } from './list-place.ts'

const search = (query: string) => new URLSearchParams(query)

describe('The way from a list to a row and back', () => {
  const shown = search('page=3&order=name%3Adesc&q=a%26b&role=admin&role=user&ask=delete&log_out=true')

  it('returns to the page, order and filters that the list showed', () => {
    const [path, query = ''] = rowAddress('/users/edit/7', shown).split('?')
    expect(path).toBe('/users/edit/7')
    expect(backAddress('/users', search(query))).toBe(
      '/users?page=3&order=name%3Adesc&q=a%26b&role=admin&role=user',
    )
    expect(besideAddress('/users/edit/8', search(`${query}&ask=delete`))).toBe(`/users/edit/8?${query}`)
  })

  it('adds nothing to the address if the list showed everything', () => {
    expect(rowAddress('/users/edit/7', search('ask=delete&index'))).toBe('/users/edit/7')
    expect(backAddress('/users', search(''))).toBe('/users')
    expect(listAddress('/users', search('ask=delete&user_ids=1'))).toBe('/users')
  })

  it.each(['//evil.example', 'https://evil.example/', '/\\evil', '#x', 'javascript:alert(1)', '\r\nx: y'])(
    'leads to no other site or page: %s',
    (list) => {
      const url = new URL(backAddress('/users', new URLSearchParams({ list })), 'https://ours.example')
      expect([url.origin, url.pathname, url.hash]).toEqual(['https://ours.example', '/users', ''])
    },
  )

  it('forgets an address that is too long', () => {
    expect(backAddress('/users', new URLSearchParams({ list: `q=${'a'.repeat(2000)}` }))).toBe('/users')
  })
})
