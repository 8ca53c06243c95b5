import { describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import type { Database } from '#app/domain/scope.server.ts'

// The document needs no database.
const api = createApi({ database: () => ({}) as Database })
type Operation = { summary?: string; responses: Record<string, unknown> }

describe('The document of the API', () => {
  it('names every call of the specification', async () => {
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

  it('is a page that people can read, too', async () => {
    const response = await api.request('/api/v1/docs')
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('PUT /api/v1/tenants/{id}/company')
  })
})
