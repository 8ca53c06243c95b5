/** Why sign-ins failed, in words for the person who configures the provider, listed per company. */
import { generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApi } from '#app/api/app.server.ts'
import { finishSignIn } from '#app/auth/arrival.server.ts'
import { noteRefusal } from '#app/auth/pools/refused-sign-ins.server.ts'
import { startSignIn } from '#app/auth/sign-in.server.ts'
import { createWorld, requestWith, type World } from './auth-world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

/** The outcome of a sign-in to which the provider gives this answer. */
async function arrive(answer: (nonce: string) => Promise<object> | object, more = '&code=abc') {
  const left = await startSignIn(requestWith([]), 'foreign', { redirect: '/', remember: false }, world.db)
  const search = new URL(left?.location ?? '').searchParams
  const nonce = search.get('nonce') ?? ''
  world.issuer.token.answer = async () => ({ status: 200, body: await answer(nonce) })
  const path = `/auth/callback?state=${search.get('state')}${more}`
  return finishSignIn(requestWith(left?.cookies ?? [], path), world.db)
}
const tokens = (id_token: string) => ({ access_token: 'x', id_token, token_type: 'Bearer', expires_in: 60 })
const saying = (claims: object) => async (nonce: string) =>
  tokens(await world.issuer.idToken('somebody-there', { nonce, ...claims }))

describe('The reason for a refusal', () => {
  it.each<[words: string, claims: object]>([
    ['The nonce is not the one that this sign-in was begun with.', { nonce: 'another' }],
    ['The token is for “someone”, not for our “liftwell”.', { aud: 'someone' }],
    ['The token’s issuer is “https://evil.example”, not “http://127.0.0.1', { iss: 'https://evil.example' }],
    ['The token expired 5 minutes ago. Is one of the two clocks wrong?', { exp: Date.now() / 1000 - 300 }],
    ['The token has no “exp”.', { exp: undefined }],
    [
      'seconds from the future. Is one of the two clocks wrong?',
      { iat: Math.round(Date.now() / 1000) + 300 },
    ],
    ['The ID token has no e-mail address', {}],
    ['The provider does not say that it has verified s**a@example.com', { email: 'sofia@example.com' }],
    [
      's**a@example.com is the address of nobody in this company',
      { email: 'sofia@example.com', email_verified: true },
    ],
  ])('says: %s', async (words, claims) => {
    const { why } = await arrive(saying(claims))
    expect(why?.reason).toContain(words)
    expect(why?.pool_id).toBe('foreign')
  })

  it('says whether the algorithm, the key or the form of the token is wrong', async () => {
    const { privateKey } = await generateKeyPair('RS256')
    const { issuer } = world
    const claims = (nonce: string) => ({ sub: 'x', aud: 'liftwell', nonce })
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
    const none = async (nonce: string) => tokens(`${encode({ alg: 'none' })}.${encode(claims(nonce))}.`)
    expect((await arrive(none)).why?.reason).toContain('signed with “none”')
    const forged = async (nonce: string) => tokens(await issuer.sign(claims(nonce), {}, privateKey))
    expect((await arrive(forged)).why?.reason).toContain('The signature is not made with the provider’s key.')
    const unknown = async (nonce: string) => tokens(await issuer.sign(claims(nonce), { kid: 'another' }))
    expect((await arrive(unknown)).why?.reason).toContain('not among the provider’s keys')
    expect((await arrive(() => tokens('garbage'))).why?.reason).toContain('The token cannot be read')
  })

  it('quotes the provider’s error, cut to 100 characters', async () => {
    const error = encodeURIComponent(`${'x'.repeat(500)}\n“`)
    const { why } = await arrive(() => ({}), `&error=${error}`)
    expect(why?.reason).toBe(`The provider answers “${'x'.repeat(100)}…” instead of a code.`)
  })

  it('is absent after a successful sign-in', async () => {
    const arrival = await arrive(async (nonce) =>
      tokens(await world.issuer.idToken(world.people.adam.sub, { nonce })),
    )
    expect(arrival).toMatchObject({ kind: 'signed_in' })
    expect(arrival.why).toBeUndefined()
  })
})

describe('Refused sign-ins', () => {
  async function list(who: 'sofia' | 'adam', tenant: string, query = '') {
    const token = await world.issuer.accessToken(world.people[who].sub)
    const answer = await createApi({ database: () => world.db }).request(
      `/api/v1/tenants/${tenant}/pool/refusals${query}`,
      {
        headers: { authorization: `Bearer ${token}` },
      },
    )
    return { status: answer.status, body: await answer.json() }
  }

  it('of a company’s own pool are listed for super admins, the newest first', async () => {
    const { db, stage, globex, acme } = world
    await stage.updateTable('tenants').set({ pool_id: 'other' }).where('id', '=', globex).execute()
    await noteRefusal({ pool_id: 'other', reason: 'The first reason.' }, 'request-1', db)
    await noteRefusal({ pool_id: 'other', reason: `The second ${'x'.repeat(600)}` }, 'request-2', db)
    const { body } = await list('sofia', globex)
    expect(body.data).toMatchObject([{ request_id: 'request-2' }, { reason: 'The first reason.' }])
    expect((await list('sofia', acme)).body.pagination.total).toBe(0)
    expect((await list('adam', acme)).status).toBe(403)
  })

  it('in a shared pool are listed for the company of the person only', async () => {
    const { db, stage, acme, home, people } = world
    const company = (status: string) =>
      stage.updateTable('tenants').set({ status }).where('id', '=', acme).execute()
    await company('inactive')
    const { why } = await arrive(async (nonce) =>
      tokens(await world.issuer.idToken(people.adam.sub, { nonce })),
    )
    await company('active')
    if (!why) throw new Error('Adam was let in')
    await noteRefusal(why, 'request-3', db)
    await noteRefusal({ pool_id: 'foreign', reason: 'Of somebody unknown.' }, 'request-4', db)
    const { body } = await list('sofia', acme)
    expect(body.data).toMatchObject([{ reason: 'The company is inactive.', request_id: 'request-3' }])
    const kept = await stage
      .selectFrom('refused_sign_ins')
      .select('id')
      .where('tenant_id', '=', home)
      .execute()
    expect(kept).toEqual([])
  })

  it('are limited to the latest 100, and paged', async () => {
    const { db, globex } = world
    for (let n = 0; n < 105; n++) await noteRefusal({ pool_id: 'other', reason: `Reason ${n}` }, `r-${n}`, db)
    const { body } = await list('sofia', globex, '?page=10&per_page=10')
    expect(body.pagination).toMatchObject({ total: 100, total_pages: 10 })
    expect(body.data.map(({ reason }: { reason: string }) => reason)).toEqual(
      [14, 13, 12, 11, 10, 9, 8, 7, 6, 5].map((n) => `Reason ${n}`),
    )
  })
})
