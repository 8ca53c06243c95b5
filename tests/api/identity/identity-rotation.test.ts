/** New signing keys while people are signed in: tokens stay valid, and the old key is deleted when nothing needs it. */
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import * as client from 'openid-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSecrets } from '#app/identity/factors/secrets.server.ts'
import { rotateSigningKeys } from '#app/identity/keys.server.ts'
import { openSite, POOL, type Site, Visitor } from './identity-site.ts'

const PASSWORD = 'correct horse battery staple'
const secrets = createSecrets('a secret of at least thirty-two characters')

let site: Site
let store: Site['store']

beforeAll(async () => {
  site = await openSite({ keepKeys: 0 })
  store = site.store
  await site.identity.admin.setPassword({ pool: POOL, email: 'ada@acme.example', password: PASSWORD })
})
afterAll(() => site?.close())

async function tokens() {
  const { callback, checks } = await new Visitor(site).signIn('ada@acme.example', PASSWORD)
  return client.authorizationCodeGrant(site.config, callback, checks)
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid
const published = async (): Promise<string[]> => {
  const answer = await fetch(`${site.origin}/idp/${POOL}/.well-known/jwks.json`)
  const { keys } = (await answer.json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}
const verify = (token: string) =>
  jwtVerify(token, createRemoteJWKSet(new URL(`${site.origin}/idp/${POOL}/.well-known/jwks.json`)))
const timePasses = (interval: string) =>
  store.query('update identity.signing_keys set created_on = created_on - $1::interval', [interval])
const userinfo = (token: string) =>
  fetch(`${site.origin}/idp/${POOL}/oauth2/userInfo`, { headers: { authorization: `Bearer ${token}` } })

it('new keys are published before they sign, and old tokens are valid until the old key is deleted', async () => {
  const before = await tokens()
  const old = kidOf(before.access_token)
  await timePasses('1 day')

  expect(await rotateSigningKeys(store, secrets)).toEqual([POOL])
  const fresh = (await published()).find((kid) => kid !== old)
  expect(await published()).toHaveLength(2)
  expect(kidOf((await tokens()).access_token)).toBe(old)

  await timePasses('3 minutes')
  const after = await tokens()
  expect(kidOf(after.access_token)).toBe(fresh)
  expect(kidOf(after.id_token ?? '')).toBe(fresh)
  for (const { access_token } of [before, after]) {
    await expect(verify(access_token)).resolves.toBeTruthy()
    expect((await userinfo(access_token)).status).toBe(200)
  }
  const renewed = await client.refreshTokenGrant(site.config, before.refresh_token ?? '')
  expect(kidOf(renewed.access_token)).toBe(fresh)

  await rotateSigningKeys(store, secrets)
  expect(await published()).toContain(old)
  await timePasses('33 days')
  await rotateSigningKeys(store, secrets)
  expect(await published()).not.toContain(old)
  await expect(verify(before.access_token)).rejects.toThrow()
  expect((await userinfo(before.access_token)).status).toBe(401)
})

it('new keys are not created under another app secret', async () => {
  const others = createSecrets('another secret of thirty-two characters')
  const kids = await published()
  await expect(rotateSigningKeys(store, others)).rejects.toThrow('sealed with another APP_SECRET')
  expect(await published()).toEqual(kids)
})
