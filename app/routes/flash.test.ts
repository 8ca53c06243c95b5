import { describe, expect, it } from 'vitest'
import { readToast, redirectWithToast } from './flash.server.ts'

const visit = (cookie: string, headers: Record<string, string> = {}) =>
  new Request('http://localhost/tenants', { headers: { cookie, ...headers } })

async function flash(toast: Parameters<typeof redirectWithToast>[1]): Promise<string> {
  const response = await redirectWithToast('/tenants', toast)
  return response.headers.get('set-cookie') ?? ''
}

describe('The toast after a redirect', () => {
  it('is shown on the next page, once', async () => {
    const cookie = await flash({ title: 'Tenant saved', message: 'Acme' })
    const { toast, headers } = await readToast(visit(cookie))
    expect(toast).toMatchObject({ title: 'Tenant saved', message: 'Acme', variant: 'success' })
    expect(headers.get('set-cookie')).toMatch(/^__Host-toast=.*Max-Age=0/)
  })

  it('is carried by a plain redirect in a secure cookie', async () => {
    const response = await redirectWithToast('/tenants', { title: 'Saved' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/tenants'])
    expect(response.headers.get('set-cookie')).toMatch(/HttpOnly; Secure; SameSite=Lax$/)
  })

  it('is not used up when a page is only prefetched', async () => {
    const cookie = await flash({ title: 'Saved' })
    const { toast, headers } = await readToast(visit(cookie, { 'sec-purpose': 'prefetch' }))
    expect(toast).toBeNull()
    expect(headers.has('set-cookie')).toBe(false)
  })

  it('is missing for a visitor without its cookie', async () => {
    const { toast, headers } = await readToast(visit('other=1'))
    expect(toast).toBeNull()
    expect(headers.has('set-cookie')).toBe(false)
  })

  it.each([
    'nonsense',
    'bnVsbA%3D%3D',
    btoa('{"title":{},"variant":"success"}'),
    btoa('{"title":"a","variant":"loud"}'),
  ])('is dropped if its cookie is invalid: %s', async (value) => {
    const { toast, headers } = await readToast(visit(`__Host-toast=${value}`))
    expect(toast).toBeNull()
    expect(headers.get('set-cookie')).toMatch(/Max-Age=0/)
  })
})
