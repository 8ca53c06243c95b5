/** Carries e-mails by a mail server. One connection per message, encrypted except on this machine. */
import { Readable } from 'node:stream'
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import { isLoopback } from '#app/config/encryption.server.ts'
import { type Carrier, CarrierError } from '#app/integrations/carrier.ts'
import type { SentStore } from '#app/integrations/sent.server.ts'
import { composeMail, type Sender } from './mail.server.ts'

export type SmtpSettings = Pick<
  SMTPConnectionOptions,
  'host' | 'port' | 'secure' | 'requireTLS' | 'opportunisticTLS' | 'tls'
> & { credentials: { user: string; pass: string } | null }

/** Well below the lease of a claimed message. */
const PATIENCE = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000 }
const ALTOGETHER_MS = 15_000

/** Parses a validated URL: `smtps://user:password@mail.example.com`. */
export function readSmtp(address: string): SmtpSettings {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'smtps:'
  const isHere = isLoopback(url.hostname)
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
  return {
    host,
    port: url.port ? Number(url.port) : secure ? 465 : 587,
    secure,
    requireTLS: !secure && !isHere,
    // A mail server on this machine may have a self-signed certificate, or none.
    ...(isHere ? { opportunisticTLS: true, tls: { rejectUnauthorized: false } } : {}),
    credentials: user ? { user, pass } : null,
  }
}

export function createSmtp(settings: SmtpSettings, from: Sender, store: SentStore, patience = ALTOGETHER_MS) {
  return {
    name: `smtp:${settings.host}`,
    sendsOncePerKey: false,
    async send(message) {
      const { message_id, bytes } = await composeMail(message, from)
      const envelope = { from: from.address, to: [message.to], size: bytes.length }
      await hand(settings, envelope, bytes, patience)
      await store.keep(message, message_id)
      return { provider_id: message_id }
    },
    async find(message) {
      const provider_id = await store.find(message)
      return provider_id === null ? null : { provider_id }
    },
    check: () => tryOut(settings),
  } satisfies Carrier & { check(): Promise<string | null> }
}

/** Why nobody could send with these settings; null when they work. Sends nothing. */
export async function tryOut(settings: SmtpSettings): Promise<string | null> {
  const connection = connect(settings, ALTOGETHER_MS)
  try {
    await enter(connection, settings)
    return null
  } catch (error) {
    return codeOf(error)
  } finally {
    connection.close()
  }
}

type Envelope = { from: string; to: string[]; size: number }

async function hand(
  settings: SmtpSettings,
  envelope: Envelope,
  bytes: Buffer,
  patience: number,
): Promise<void> {
  const connection = connect(settings, patience)
  let hasBegun = false
  const content = new Readable({
    read() {
      hasBegun = true
      this.push(bytes)
      this.push(null)
    },
  })
  const timer = setTimeout(() => connection.close(), patience)
  try {
    await enter(connection, settings)
    await new Promise<void>((done, failed) => {
      connection.once('error', failed)
      connection.once('end', () => failed(new Error('The connection has ended.')))
      connection.send(envelope, content, (error) => (error ? failed(error) : done()))
    })
  } catch (error) {
    throw new CarrierError(outcomeOf(error, hasBegun), codeOf(error), undefined, isOutage(error))
  } finally {
    clearTimeout(timer)
    connection.quit()
  }
}

function connect({ credentials: _, ...settings }: SmtpSettings, patience: number): SMTPConnection {
  const connection = new SMTPConnection({
    ...settings,
    ...PATIENCE,
    socketTimeout: patience,
    logger: false,
  })
  // Once the server has answered, a later failure changes nothing.
  connection.on('error', () => {})
  return connection
}

function enter(connection: SMTPConnection, { credentials }: SmtpSettings): Promise<void> {
  return new Promise((done, failed) => {
    connection.once('error', failed)
    connection.once('end', () => failed(new Error('The connection has ended.')))
    connection.connect((error) => {
      if (error) return failed(error)
      if (!credentials) return done()
      connection.login(credentials, (refused) => (refused ? failed(refused) : done()))
    })
  })
}

const WANTS_LOGIN = new Set([530, 534, 535, 538])

type SmtpError = { code?: string; command?: string; responseCode?: number; message?: string }

/** A refused login is for the operator to correct; a message cut off in transfer may or may not have been taken. */
function outcomeOf(error: unknown, hasBegun: boolean): CarrierError['outcome'] {
  const { responseCode = 0 } = error as SmtpError
  if (isAnswer(error)) return responseCode >= 500 ? 'refused' : 'busy'
  return hasBegun ? 'unclear' : 'busy'
}

function isAnswer(error: unknown): boolean {
  const { responseCode, command } = error as SmtpError
  const isAboutMessage = command === 'MAIL FROM' || command === 'RCPT TO' || command === 'DATA'
  return isAboutMessage && responseCode !== undefined && !WANTS_LOGIN.has(responseCode)
}

/** 421: the server is closing, or has too many connections from us. */
const isOutage = (error: unknown): boolean => !isAnswer(error) || (error as SmtpError).responseCode === 421

/** Numbers and names only: a server's text may quote addresses and credentials. */
function codeOf(error: unknown): string {
  const { responseCode, code } = error as SmtpError
  return `smtp:${responseCode ?? code ?? 'closed'}`
}
