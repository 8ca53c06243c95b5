import { describe, expect, it } from 'vitest'
import { loginAddress, redirectTarget } from './redirect-target.ts'

const HOSTILE = [
  '//evil.example',
  '///evil.example',
  '////evil.example',
  '//evil.example/users',
  '//evil.example:443',
  '//user@evil.example',
  '/\\evil.example',
  '/\\/evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\\\\evil.example',
  '\\evil.example',
  '/%2f/evil.example',
  '/%2fevil.example',
  '/%2F%2Fevil.example',
  '%2f%2fevil.example',
  '/%5cevil.example',
  '/%5C%5Cevil.example',
  '/%252fevil.example',
  '/%25252fevil.example',
  '/%255cevil.example',
  '/%09/evil.example',
  '/%0a/evil.example',
  '/%0d%0aLocation:%20https://evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '\t//evil.example',
  ' //evil.example',
  ' /users',
  '/ /evil.example',
  '/\u00a0/evil.example',
  '/\u2028/evil.example',
  '/\u0000/evil.example',
  '/\u0000',
  '/users\r\nSet-Cookie: a=b',
  'https:evil.example',
  'https:/evil.example',
  'https://evil.example',
  'https:///evil.example',
  'HTTPS://EVIL.EXAMPLE',
  'http://localhost:3000@evil.example',
  'http://localhost:3000/users',
  'http:users',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'mailto:someone@evil.example',
  'blob:https://evil.example/x',
  '@evil.example',
  'evil.example',
  'users',
  './users',
  '../users',
  '?redirect=/users',
  '#users',
  '.evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/users/..//evil.example',
  '/./\\evil.example',
  '/%2e%2e//evil.example',
  '/%2e//evil.example',
  '/login',
  '/LOGIN/signIn',
  '/users/../login?redirect=/users',
  '/logout',
  '/auth/start/default',
  '/auth/callback?code=a&state=b',
  '/idp/default/oauth2/authorize',
  '/api/v1/users/me',
  '',
  `/${'a'.repeat(3000)}`,
]

const OURS: [wanted: string, target: string][] = [
  ['/', '/'],
  ['/users', '/users'],
  ['/users/', '/users/'],
  ['/users?page=2&order=date:desc&q=a%20b', '/users?page=2&order=date:desc&q=a%20b'],
  ['/lift/12#prompt-3', '/lift/12#prompt-3'],
  ['/users?next=https://evil.example', '/users?next=https://evil.example'],
  ['/users/@me', '/users/@me'],
  ['/users/../tenants', '/tenants'],
  ['/lljs/manage?name=Grüße', '/lljs/manage?name=Gr%C3%BC%C3%9Fe'],
  ['/evil.example', '/evil.example'],
  ['/loginhistory', '/loginhistory'],
]

describe('A redirect target', () => {
  it(`is the home page for each of ${HOSTILE.length} hostile addresses`, () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60)
    for (const wanted of HOSTILE) expect([wanted, redirectTarget(wanted)]).toEqual([wanted, '/'])
    expect(redirectTarget(null)).toBe('/')
    expect(redirectTarget(undefined, '/users')).toBe('/users')
  })

  it('is the wanted page if that is a path of this site', () => {
    for (const [wanted, target] of OURS) expect(redirectTarget(wanted)).toBe(target)
  })

  it('is kept through /login', () => {
    for (const [wanted, target] of OURS) {
      const login = new URL(loginAddress(wanted), 'http://localhost')
      expect(login.searchParams.get('redirect')).toBe(target)
    }
    expect(loginAddress('/tenants/edit/1')).toBe(`/login?redirect=${encodeURIComponent('/tenants/edit/1')}`)
  })
})
