import { describe, expect, it } from 'vitest'
import { readConfig } from '#app/config.server.ts'

const PROVIDER = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'liftwell' }
const read = (env: Record<string, string>) => readConfig({ NODE_ENV: 'production', ...PROVIDER, ...env })

describe('The screens alone', () => {
  it.each([
    'https://api.example.com',
    'https://api.example.com/platform/v2',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ])('run in front of %s', (API_BASE_URL) => {
    expect(read({ API_BASE_URL }).WEB_TIER).toBe(true)
  })

  it('need API_BASE_URL, and no database', () => {
    const database = {
      DATABASE_URL: 'postgres://a@b/c',
      DATABASE_WORKER_URL: 'postgres://a@b/c',
      DATABASE_IDENTITY_URL: 'postgres://a@b/c',
      APP_SECRET: 'x'.repeat(32),
    }
    expect(read({ API_BASE_URL: 'https://api.example.com', ...database }).WEB_TIER).toBe(false)
    expect(read({}).WEB_TIER).toBe(false)
  })

  it.each<[Record<string, string>, RegExp]>([
    [{ API_BASE_URL: 'nonsense' }, /API_BASE_URL: must be an address like/],
    [{ API_BASE_URL: 'ftp://api.example.com' }, /API_BASE_URL: must be an address like/],
    [{ API_BASE_URL: 'http://api.example.com' }, /API_BASE_URL: must be https, except on this machine/],
    [{ API_BASE_URL: 'https://api.example.com?key=1' }, /API_BASE_URL: must be an address and nothing more/],
    [{ API_BASE_URL: 'https://me:pw@api.example.com' }, /API_BASE_URL: must be an address and nothing more/],
    [
      { API_BASE_URL: 'https://app.example.com/api', PUBLIC_ORIGIN: 'https://app.example.com' },
      /API_BASE_URL: must be another server/,
    ],
    [{ API_BASE_URL: 'http://localhost:3000' }, /API_BASE_URL: must be another server/],
    [{ API_BASE_URL: 'https://api.example.com', OIDC_ISSUER: '' }, /nobody could sign in/],
    [{ API_BASE_URL: 'https://api.example.com', OIDC_CLIENT_ID: '' }, /OIDC_CLIENT_ID: is needed/],
    [
      { API_BASE_URL: 'https://api.example.com', COGNITO_USER_POOL_ID: 'eu-west-1_AbC' },
      /COGNITO_DOMAIN: is needed/,
    ],
  ])('are refused for %o, with the reason', (env, why) => {
    expect(() => read(env)).toThrow(why)
  })
})
