/** E-mails through a real mail server, seen on its side of the connection. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type Config, readConfig } from '#app/config.server.ts'
import { composeMessage } from '#app/domain/sending/message.ts'
import { mailOf } from '#app/domain/text/letter.ts'
import type { Message } from '#app/integrations/carrier.ts'
import { readSender } from '#app/integrations/mail/mail.server.ts'
import { createOutboxFolder } from '#app/integrations/mail/outbox-folder.server.ts'
import { createSmtp, readSmtp, type SmtpSettings, tryOut } from '#app/integrations/mail/smtp.server.ts'
import { type Hooks, startMailServer } from '#tests/fakes/mail-server.ts'

const FROM = { name: 'Liftwell', address: 'lifts@learn.internal' }
const message: Message = {
  tenant_id: '6f1f3b0e-0000-4000-8000-000000000001',
  key: 'k-1',
  channel: 'email',
  to: 'lena@mail.internal',
  subject: 'Zuhören – “Listen first”',
  text: 'Hi Léna,\n\n<b>"Listen first"</b> waits: https://learn.internal/lift/7?a=1&b=2.\nSee you & bye',
}

const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function serve(hooks: Hooks = {}, options: Parameters<typeof startMailServer>[1] = {}) {
  const server = await startMailServer(hooks, options)
  closing.push(server.stop)
  const kept = new Map<string, string>()
  const store = {
    keep: async ({ key }: { key: string }, id: string) => void kept.set(key, id),
    find: async ({ key }: { key: string }) => kept.get(key) ?? null,
  }
  const carrier = (
    more: Partial<SmtpSettings> = {},
    url = `smtp://127.0.0.1:${server.port}`,
    patience?: number,
  ) => createSmtp({ ...readSmtp(url), ...more }, FROM, store, patience)
  return { ...server, carrier, kept }
}

/** The unfolded headers, and the decoded parts that the tests need. */
function read(raw: string) {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const body = rest
    .join('\n\n')
    .replace(/=\r\n/g, '')
    .replace(/(=[0-9A-F]{2})+/g, (hex) => Buffer.from(hex.replaceAll('=', ''), 'hex').toString('utf8'))
  return {
    headers,
    header: (name: string) => headers.filter((line) => line.toLowerCase().startsWith(`${name}:`)),
    body,
  }
}

describe('An e-mail', () => {
  it('has its headers, and the same content as plain text and as HTML', async () => {
    const { carrier, taken } = await serve()
    const receipt = await carrier().send(message)
    expect(taken).toHaveLength(1)
    expect(taken[0]).toMatchObject({ from: FROM.address, to: [message.to], isSecure: true })
    const { header, body } = read(taken[0]?.raw ?? '')
    expect(header('from')).toEqual(['From: Liftwell <lifts@learn.internal>'])
    expect(header('to')).toEqual(['To: lena@mail.internal'])
    expect(header('auto-submitted')).toEqual(['Auto-Submitted: auto-generated'])
    expect(header('date')).toHaveLength(1)
    expect(header('mime-version')).toHaveLength(1)
    expect(header('message-id')).toEqual([`Message-ID: ${receipt.provider_id}`])
    expect(receipt.provider_id).toMatch(/^<[0-9a-f]{40}@learn\.internal>$/)
    const subject = (header('subject')[0] ?? '').replace(/=\?UTF-8\?Q\?(.*?)\?= ?/gi, (_, words: string) =>
      decodeURIComponent(words.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1')),
    )
    expect(subject).toBe(`Subject: ${message.subject}`)
    expect(header('content-type')[0]).toContain('multipart/alternative')
    expect(body).toContain('<b>"Listen first"</b> waits: https://learn.internal/lift/7?a=1&b=2.')
    expect(body).toContain(
      '&lt;b&gt;&quot;Listen first&quot;&lt;/b&gt; waits: <a href="https://learn.internal/lift/7?a=1&amp;b=2">',
    )
    expect(body.indexOf('text/plain')).toBeLessThan(body.indexOf('text/html'))
  })

  it('has the company’s name and logo, one button, the reason, and an unsubscribe link', async () => {
    const { carrier, taken } = await serve()
    const letter = {
      words: 'Hi Léna,\n\n<b>"Listen first"</b> waits.',
      button: { label: 'Open the lift', url: 'https://learn.internal/lift/7?a=1&b=2' },
      note: 'It takes about 3 minutes.',
      why: 'You’re getting this e-mail because you’re in "Better talks" at Acme & Sons.',
      unsubscribe: 'https://learn.internal/unsubscribe/v1.abc',
    }
    const bytes = Buffer.from('89504e470d0a1a0a', 'hex')
    const letterhead = { company: 'Acme & Sons', logo: { bytes, content_type: 'image/png' } }
    await carrier().send({ ...message, ...mailOf('Listen', letter), letterhead })
    await carrier().send({ ...message, ...mailOf('Code', { words: 'It is 1.', why: 'You asked.' }) })
    const [mail, code] = taken.map(({ raw }) => read(raw))
    expect(mail?.header('from')).toEqual(['From: "Acme & Sons" <lifts@learn.internal>'])
    expect(mail?.header('list-unsubscribe')).toEqual([`List-Unsubscribe: <${letter.unsubscribe}>`])
    expect(mail?.header('list-unsubscribe-post')).toEqual([
      'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
    ])
    const body = mail?.body ?? ''
    const plain = body.slice(body.indexOf('text/plain'), body.indexOf('text/html'))
    for (const words of [letter.words, letter.note, letter.why, letter.unsubscribe])
      expect([words, plain.includes(words.replaceAll('\n', '\r\n')) || plain.includes(words)]).toEqual([
        words,
        true,
      ])
    expect(plain).toContain(`Open the lift: ${letter.button.url}`)
    const drawn = body.slice(body.indexOf('<!doctype html>'))
    expect(drawn.match(/<a /g)).toHaveLength(2)
    for (const words of [
      '&lt;b&gt;&quot;Listen first&quot;&lt;/b&gt; waits.',
      'href="https://learn.internal/lift/7?a=1&amp;b=2"',
      'It takes about 3 minutes.',
      'at Acme &amp; Sons.',
      'href="https://learn.internal/unsubscribe/v1.abc"',
      'src="cid:logo@liftwell"',
      'prefers-color-scheme: dark',
      'width=device-width',
    ])
      expect([words, drawn.includes(words)]).toEqual([words, true])
    expect(body).toMatch(/content-id: <logo@liftwell>/i)
    expect(code?.header('list-unsubscribe')).toEqual([])
    expect(code?.body).not.toMatch(/Stop these|cid:/)
  })

  it('shows the lift’s title as a link in HTML, and the address on its own line in plain text', async () => {
    const { carrier, taken } = await serve()
    const link = 'https://learn.internal/lift/7?m=1&k=abc'
    const values = { first_name: 'Léna', journey: 'Talks', lift: 'Ask <first>', sponsor: 'Sam', link }
    const content = { title: 'Ask', sms_text: 'Open {{link}} today, {{first_name}}.\nBye', email_subject: '' }
    const draft = { ...message, channel: 'email' as const, attempt: 1, values }
    await carrier().send(composeMessage({ ...draft, content: { ...content, est_minutes: 3 } }))
    const { body } = read(taken[0]?.raw ?? '')
    expect(body).toContain(`Open Ask <first> today, Léna.\r\n${link}\r\nBye`)
    const drawn = body.slice(body.indexOf('<!doctype html>'))
    const [, shown = ''] = /<body.*?>(.*)<\/body>/s.exec(drawn) ?? []
    expect(shown).toContain('>Ask &lt;first&gt;</a> today, Léna.<br>Bye</p>')
    expect(shown.replace(/<[^>]*>/g, '')).not.toContain('http')
  })

  it('keeps its message ID when it is handed over again, and shares it with no other e-mail', async () => {
    const { carrier } = await serve()
    const ids = await Promise.all(
      [message, message, { ...message, key: 'k-2' }].map((one) => carrier().send(one)),
    ).then((all) => all.map(({ provider_id }) => provider_id))
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })

  it('is found by our key once the mail server took it', async () => {
    const { carrier } = await serve()
    expect(await carrier().find(message)).toBeNull()
    const receipt = await carrier().send(message)
    expect(await carrier().find(message)).toEqual(receipt)
  })

  it('lets nothing in its subject or address add a header, a recipient or a command', async () => {
    const { carrier, taken } = await serve()
    await carrier().send({ ...message, subject: 'Hi\r\nBcc: eve@evil.internal\r\n\r\nPay here' })
    expect(taken[0]?.to).toEqual([message.to])
    expect(read(taken[0]?.raw ?? '').header('bcc')).toEqual([])
    expect(read(taken[0]?.raw ?? '').header('subject')).toEqual([
      'Subject: Hi Bcc: eve@evil.internal Pay here',
    ])
    for (const to of [
      'a@b.internal\r\nBcc: eve@evil.internal',
      'a@b.internal, eve@evil.internal',
      'a@b.internal>\r\nRCPT TO:<eve@evil.internal',
      'Eve <eve@evil.internal>',
      'a b@c.internal',
      'nobody',
      '',
    ])
      await expect(carrier().send({ ...message, to })).rejects.toMatchObject({
        outcome: 'refused',
        code: 'address',
      })
    expect(taken).toHaveLength(1)
  })

  it('includes no file or page that its text names', async () => {
    const { carrier, taken, port } = await serve()
    for (const path of ['/etc/passwd', `http://127.0.0.1:${port}/`]) {
      const text = JSON.stringify({ path })
      await carrier().send({ ...message, text })
      expect(read(taken.at(-1)?.raw ?? '').body).toContain(text)
    }
  })
})

describe('An answer of the mail server', () => {
  it.each([
    ['RCPT', 450, 'busy'],
    ['RCPT', 550, 'refused'],
    ['MAIL', 451, 'busy'],
    ['MAIL', 553, 'refused'],
    ['MAIL', 530, 'busy'],
    ['END', 452, 'busy'],
    ['END', 554, 'refused'],
  ] as const)('to %s with code %i counts as %s', async (step, code, outcome) => {
    const { carrier, kept } = await serve({
      at: (here) => (here === step ? { code, text: 'No' } : undefined),
    })
    await expect(carrier().send(message)).rejects.toMatchObject({ outcome, code: `smtp:${code}` })
    expect(kept.size).toBe(0)
  })

  it('counts as busy if the connection breaks before the message, and as unclear after it', async () => {
    const early = await serve({ at: (step) => (step === 'RCPT' ? 'drop' : undefined) })
    await expect(early.carrier().send(message)).rejects.toMatchObject({ outcome: 'busy' })
    const late = await serve({ at: (step) => (step === 'END' ? 'drop' : undefined) })
    await expect(late.carrier().send(message)).rejects.toMatchObject({ outcome: 'unclear' })
    expect(late.taken).toHaveLength(1)
    expect(late.kept.size).toBe(0)
  })

  it('counts as busy if it takes too long before the message, and as unclear after it', async () => {
    const silent = { onRcptTo: () => {} }
    const early = await serve({}, silent)
    await expect(early.carrier({}, undefined, 300).send(message)).rejects.toMatchObject({ outcome: 'busy' })
    const late = await serve({}, { onData: (stream) => void stream.resume() })
    await expect(late.carrier({}, undefined, 300).send(message)).rejects.toMatchObject({ outcome: 'unclear' })
  })

  it('counts as busy if there is no server', async () => {
    const { carrier, stop, port } = await serve()
    closing.length = 0
    await stop()
    await expect(carrier().send(message)).rejects.toMatchObject({ outcome: 'busy' })
    expect(await tryOut(readSmtp(`smtp://127.0.0.1:${port}`))).toMatch(/^smtp:E/)
  })
})

describe('The connection to the mail server', () => {
  it('needs encryption with a trusted certificate, unless it stays on this machine', async () => {
    expect(readSmtp('smtp://mail.example.com')).toMatchObject({ port: 587, secure: false, requireTLS: true })
    expect(readSmtp('smtp://mail.example.com')).not.toHaveProperty('opportunisticTLS')
    expect(readSmtp('smtp://mail.example.com')).not.toHaveProperty('tls')
    expect(readSmtp('smtps://mail.example.com')).toMatchObject({ port: 465, secure: true })
    expect(readSmtp('smtp://localhost:2525')).toMatchObject({ port: 2525, requireTLS: false })

    const bare = await serve({}, { hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    await bare.carrier().send(message)
    expect(bare.taken[0]?.isSecure).toBe(false)
    await expect(bare.carrier({ requireTLS: true }).send(message)).rejects.toMatchObject({ outcome: 'busy' })
    expect(bare.taken).toHaveLength(1)

    const { carrier, taken } = await serve()
    const strict = { requireTLS: true, opportunisticTLS: false, tls: {} }
    await expect(carrier(strict).send(message)).rejects.toMatchObject({ outcome: 'busy' })
    expect(taken).toHaveLength(0)
  })

  it('signs in with the configured password, and its errors reveal no secrets', async () => {
    const { carrier, taken, port } = await serve()
    const address = (password: string) => `smtp://liftwell:${encodeURIComponent(password)}@127.0.0.1:${port}`
    await carrier({}, address('p@ss:word')).send(message)
    expect(taken[0]?.user).toBe('liftwell')
    expect(await tryOut(readSmtp(address('p@ss:word')))).toBeNull()
    expect(await tryOut(readSmtp(address('another')))).toBe('smtp:535')
    const error = await carrier({}, address('another'))
      .send(message)
      .catch((one: Error) => one)
    expect(error).toMatchObject({ outcome: 'busy', code: 'smtp:535' })
    expect(`${(error as Error).stack}${JSON.stringify(error)}`).not.toMatch(/p@ss|another|lena@|smtp:\/\//)
    expect(taken).toHaveLength(1)
  })
})

describe('The e-mail configuration', () => {
  const wrong = (env: Record<string, string>): string => {
    try {
      readConfig({ NODE_ENV: 'test', ...env })
      return ''
    } catch (error) {
      return (error as Error).message
    }
  }

  it.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtps://user:pass@',
    'smtps://user:se%cret@mail.example.com',
    'smtps://user:se%0d%0acret@mail.example.com',
    'smtps://user:secret@mail.example.com/?tls.rejectUnauthorized=false',
    'smtps://user:secret@mail.example.com/path',
    'smtps://user:secret@mail.example.com:99999',
  ])('rejects SMTP_URL %s and prints no secrets', (SMTP_URL) => {
    const said = wrong({ SMTP_URL, MAIL_FROM: 'a@b.example' })
    expect(said).toContain('SMTP_URL: must be like smtps://')
    expect(said).not.toMatch(/secret|se%|user:pass@/)
  })

  it('needs a sender with a valid address', () => {
    expect(wrong({ SMTP_URL: 'smtps://mail.example.com' })).toContain('MAIL_FROM: is needed')
    for (const MAIL_FROM of [
      'Liftwell',
      'a@b@c',
      'X <a@b>\r\nBcc: eve@evil.example',
      'a@b.example, c@d.example',
    ])
      expect(wrong({ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM })).toContain('MAIL_FROM: must be')
    for (const MAIL_FROM of [
      'lifts@example.com',
      'Liftwell <lifts@example.com>',
      '"Lift, well" <lifts@example.com>',
    ]) {
      expect(wrong({ SMTP_URL: 'smtps://mail.example.com', MAIL_FROM })).toBe('')
      expect(readSender(MAIL_FROM)?.address).toBe('lifts@example.com')
    }
    const config: Config = readConfig({ NODE_ENV: 'test' })
    expect([config.SMTP_URL, config.MAIL_FROM]).toEqual([undefined, undefined])
  })
})

describe('The outbox folder', () => {
  it('keeps each message as a file that only its owner can read, and removes the oldest first', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'liftwell-outbox-')), 'outbox')
    closing.push(() => rmSync(join(folder, '..'), { recursive: true, force: true }))
    const outbox = createOutboxFolder(folder, 3)
    const numbered = (id: number) => ({ id, message: { ...message, subject: `No. ${id}` } })
    const text = { channel: 'sms' as const, to: '+15551234567/../../x', text: 'Your code is 123456' }
    await outbox.keep([numbered(1)])
    await outbox.keep([numbered(2), numbered(3), numbered(4), { id: 5, message: { ...message, ...text } }])
    const names = readdirSync(folder).sort()
    expect(names).toHaveLength(3)
    expect(names.map((name) => name.slice(-4))).toEqual(['.eml', '.eml', '.txt'])
    expect(names[2]).toContain('+15551234567_.._.._x')
    expect(readFileSync(join(folder, names[2] ?? ''), 'utf8')).toContain('Your code is 123456')
    const mail = read(readFileSync(join(folder, names[0] ?? ''), 'utf8'))
    expect(mail.header('subject')).toEqual(['Subject: No. 3'])
    expect(mail.body).toContain('waits: https://learn.internal/lift/7?a=1&b=2.')
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(folder).mode & 0o777).toBe(0o700)

    await outbox.forget([3, 5, 99])
    expect(readdirSync(folder)).toEqual([names[1]])
    writeFileSync(join(folder, '2020-01-01T00-00-00.000Z-00000006-old@acme.example.eml'), 'old')
    await outbox.forgetOld()
    expect(readdirSync(folder)).toEqual([names[1]])
    await createOutboxFolder(join(folder, 'never-made')).forget([1])
  })
})
