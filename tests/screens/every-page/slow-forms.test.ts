/** A form that takes long to arrive is accepted only from somebody who is still in when it is there. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'
import type { Visitor } from '#tests/support/visitor.ts'
import { offersOf } from './page-controls.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

/** Sends the beginning of the form to add a user, then does `meanwhile`, then sends the rest. */
async function addSlowly(visitor: Visitor, name: string, meanwhile: () => Promise<unknown>) {
  const path = '/users/add'
  const page = await (await visitor.visit(path)).text()
  const form = offersOf(page, path).find((offer) => offer.kind === 'form' && offer.to === path)
  const fields = form?.kind === 'form' ? form.fields : []
  const said = new URLSearchParams(fields)
  for (const [field, value] of Object.entries({ email: `${name}@slow.example`, first_name: name }))
    said.set(field, value)
  const bytes = new TextEncoder().encode(said.toString())
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes.slice(0, 20))
      await new Promise((later) => setTimeout(later, 1200))
      await meanwhile()
      controller.enqueue(bytes.slice(20))
      controller.close()
    },
  })
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return visitor.visit(path, { method: 'POST', headers: type, body, duplex: 'half' } as RequestInit)
}

it('is refused, with its words, from somebody who was logged out or lost the right meanwhile', async () => {
  const admin = await site.connectAdmin()
  const adam = await site.visitor('adam@northwind.example')
  expect((await addSlowly(adam, 'Patient', async () => {})).status).toBe(302)
  const out = await addSlowly(adam, 'Ended', () => admin.query('delete from sessions'))
  expect(out.status).toBe(401)
  const said = await out.text()
  expect(said).toContain('Your session ended before this arrived, so nothing was saved.')
  expect(said).toContain('Ended@slow.example')

  const grace = await site.visitor('grace@harbor.example')
  const less = `update user_general_roles set role = 'user' where user_id =
    (select id from users where email = 'grace@harbor.example')`
  expect((await addSlowly(grace, 'Demoted', () => admin.query(less))).status).toBe(403)
  const { rows } = await admin.query(`select email from users where email like '%@slow.example'`)
  expect(rows).toEqual([{ email: 'patient@slow.example' }])
})
