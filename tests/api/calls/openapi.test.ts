import { describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import type { Database } from '#app/domain/scope/scope.server.ts'

// The document needs no database.
const api = createApi({ database: () => ({}) as Database })
type Operation = { summary?: string; responses: Record<string, unknown> }

function* thingsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const part of Object.values(value)) yield* thingsIn(part)
}

describe('The OpenAPI document', () => {
  it('names the calls of the specification, each with a summary', async () => {
    const response = await api.request('/api/v1/openapi.json')
    expect(response.status).toBe(200)
    const { openapi, paths } = (await response.json()) as {
      openapi: string
      paths: Record<string, Record<string, Operation>>
    }
    expect(openapi).toBe('3.1.0')
    const calls = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace('/api/v1', '')}`),
    )
    expect(calls).toEqual(
      expect.arrayContaining([
        'GET /users/me',
        'PUT /users/me',
        'GET /users/pool',
        'POST /users/pool',
        'GET /users',
        'GET /tenants',
        'POST /tenants',
        'GET /tenants/{id}',
        'PUT /tenants/{id}',
        'DELETE /tenants/{id}',
        'GET /tenants/data',
        'GET /tenants/timezones',
        'GET /tenants/{id}/sub_tenants',
        'POST /tenants/{id}/sub_tenants',
        'GET /tenants/{id}/sub_tenants/{subId}',
        'PUT /tenants/{id}/sub_tenants/{subId}',
        'DELETE /tenants/{id}/sub_tenants/{subId}',
        'GET /tenants/tenant/sub_tenants/data',
        'PUT /tenants/{id}/company',
        'PUT /tenants/{id}/sub_tenants/{subId}/company',
      ]),
    )
    const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
    expect(operations.filter(({ summary }) => !summary)).toEqual([])
  })

  it('has schemas that validators in other languages can read', async () => {
    const response = await api.request('/api/v1/openapi.json')
    const schemas = [...thingsIn(await response.json())]
    const patterns = schemas.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []))
    expect(patterns.length).toBeGreaterThan(10)
    for (const pattern of new Set(patterns)) {
      expect(() => new RegExp(pattern, 'u'), pattern).not.toThrow()
      expect(pattern, 'its flags are no part of a pattern').not.toMatch(/(?<!\\)\/[a-z]+$/)
    }
    for (const { type, enum: values, default: usual } of schemas) {
      if (Array.isArray(type) && type.includes('null') && Array.isArray(values))
        expect(values).toContain(null)
      if (type === 'string' && usual !== undefined) expect(usual).toBeTypeOf('string')
    }
  })

  it('lists the refusals of a call, and its Idempotency-Key header', async () => {
    const { paths } = (await (await api.request('/api/v1/openapi.json')).json()) as {
      paths: Record<string, Record<string, Operation & { parameters?: { name: string }[] }>>
    }
    const { get, post } = paths['/api/v1/users'] ?? {}
    expect(Object.keys(get?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '400', '401', '403', '404', '409', '422', '429', '503']),
    )
    expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['400', '413', '415', '429']))
    expect(post?.responses['429']).toHaveProperty('headers.retry-after')
    expect(Object.keys(paths['/api/v1/mail_stops/{token}']?.get?.responses ?? {})).toContain('404')
    const headersOf = (operation?: { parameters?: { name: string }[] }) =>
      operation?.parameters?.map(({ name }) => name)
    expect(headersOf(post)).toEqual(expect.arrayContaining(['X-Sub-Tenant-Id', 'Idempotency-Key']))
    expect(headersOf(paths['/api/v1/api_keys']?.post)).not.toContain('Idempotency-Key')
  })

  it('is also a page for people', async () => {
    const response = await api.request('/api/v1/docs')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('PUT /api/v1/tenants/{id}/company')
  })
})
