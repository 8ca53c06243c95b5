/** An administrator previews the messages that people get. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSite, type Site } from '#tests/support/site.ts'

let site: Site
beforeAll(async () => {
  site = await openSite()
})
afterAll(() => site?.close())

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** Each link of the plain text, at the end of a line, is a link with words in the HTML. */
function expectSameLinks(id: string, plain: string, drawn: string): void {
  for (const line of plain.split('\n').filter((one) => one.includes('http'))) {
    const [, link = line] = /^(?:[^:]+: )?(https?:\/\/\S+)$/.exec(unescaped(line)) ?? []
    expect([id, link, unescaped(drawn).includes(`<a href="${link}"`)]).toEqual([id, link, true])
  }
  const [, shown = ''] = /<body.*?>(.*)<\/body>/s.exec(drawn) ?? []
  expect([id, shown.replace(/<[^>]*>/g, '').match(/https?:\S*/)]).toEqual([id, null])
}

describe('Message previews', () => {
  it('show every kind: e-mails as plain text and in a frame without scripts, texts with their length', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const page = await (await adam.visit('/settings/messages')).text()
    const kinds = [...page.matchAll(/\/settings\/messages\?kind=([a-z-]+)&amp;look=light&amp;width=desktop/g)]
    const ids = [...new Set(kinds.map(([, id]) => id ?? ''))]
    expect(ids.length).toBeGreaterThan(25)
    for (const id of ids) {
      const answer = await adam.visit(`/settings/messages?kind=${id}`)
      const html = await answer.text()
      expect([id, answer.status]).toEqual([id, 200])
      expect([id, html.match(/undefined|\[object/)]).toEqual([id, null])
      const [frame = ''] = /<iframe[^>]*>/.exec(html) ?? []
      const isMail = kinds.length > 0 && frame !== ''
      if (!isMail) expect([id, /Sent as \d texts?\./.test(html)]).toEqual([id, true])
      else expect(frame).toMatch(/sandbox=""/)
      const [, plain = ''] = /<pre class="preview-text">(.*?)<\/pre>/s.exec(html) ?? []
      const [, drawn = ''] = /srcDoc="([^"]*)"/i.exec(frame) ?? []
      if (isMail) expectSameLinks(id, plain, unescaped(drawn))
    }
  })

  it('name the company, and use dark styles that the policy of the page allows', async () => {
    const adam = await site.visitor('adam@northwind.example')
    const answer = await adam.visit('/settings/messages?kind=lift&look=dark&width=phone')
    const html = await answer.text()
    const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? 'none'
    const drawn = unescaped(/srcDoc="([^"]*)"/i.exec(html)?.[1] ?? '')
    expect(drawn).toContain(`<style nonce="${nonce}">`)
    expect(drawn).toContain('@media all {')
    expect(drawn).toContain('Northwind')
    expect(drawn).toContain('It takes about 3 minutes.')
    expect(html).toContain('data-width="phone"')
  })

  it('are a 404 for an unknown kind, and refused to a user', async () => {
    const adam = await site.visitor('adam@northwind.example')
    expect((await adam.visit('/settings/messages?kind=constructor')).status).toBe(404)
    const uri = await site.visitor('uri@northwind.example')
    expect((await uri.visit('/settings/messages')).status).toBe(403)
  })
})
