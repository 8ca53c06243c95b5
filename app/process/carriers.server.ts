/** Who carries the platform's messages: real carriers where they are configured, the outbox otherwise. */
import { join } from 'node:path'
import { seal } from '#app/auth/seal.server.ts'
import type { Config } from '#app/config.server.ts'
import type { Databases } from '#app/db/databases.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { isTestingTenant } from '#app/domain/outbox/sent.server.ts'
import { inScope, systemActor } from '#app/domain/scope/scope.server.ts'
import { readLetterhead } from '#app/domain/tenants/letterhead.server.ts'
import { type Carrier, CarrierError, type Carriers, type Message } from '#app/integrations/carrier.ts'
import { withCircuit } from '#app/integrations/circuit.server.ts'
import { readSender } from '#app/integrations/mail/mail.server.ts'
import { createOutbox } from '#app/integrations/mail/outbox.server.ts'
import { createOutboxFolder } from '#app/integrations/mail/outbox-folder.server.ts'
import { createSmtp, readSmtp, tryOut } from '#app/integrations/mail/smtp.server.ts'
import type { SentStore } from '#app/integrations/sent.server.ts'
import { createTwilio } from '#app/integrations/texts/twilio.server.ts'
import { createVonage } from '#app/integrations/texts/vonage.server.ts'
import type { JobLog } from '#app/jobs/context.ts'
import { outboxStore } from '#app/jobs/sending/outbox-store.server.ts'
import { sentStore } from '#app/jobs/sending/sent-store.server.ts'

type Setting = {
  config: Pick<
    Config,
    | 'DATA_DIR'
    | 'SMTP_URL'
    | 'MAIL_FROM'
    | 'TWILIO_ACCOUNT_SID'
    | 'TWILIO_AUTH_TOKEN'
    | 'TWILIO_FROM'
    | 'TWILIO_API_URL'
    | 'VONAGE_APPLICATION_ID'
    | 'VONAGE_PRIVATE_KEY'
    | 'VONAGE_FROM'
    | 'VONAGE_API_KEY'
    | 'VONAGE_API_SECRET'
    | 'VONAGE_API_URL'
    | 'PUBLIC_ORIGIN'
    | 'DEMO'
  > & { SMS_CARRIER?: Config['SMS_CARRIER'] }
  databases: Pick<Databases, 'worker'>
  log: JobLog
}

const folderOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) => join(DATA_DIR, 'outbox')

export const outboxFolder = (config: Pick<Config, 'DATA_DIR'>) => createOutboxFolder(folderOf(config))

export function createCarriers({ config, databases: { worker }, log }: Setting): Carriers {
  const outbox = createOutbox(outboxStore(worker), outboxFolder(config))
  const sent = sentStore(worker, log)
  const isTesting = ({ tenant_id }: Message) => inScope(worker, systemActor(tenant_id), isTestingTenant)
  const smtp = findSmtp(config, sent, log)
  const texts = findTexts(config, sent, log)
  return {
    email: inTheirName(
      worker,
      smtp
        ? unless(async (mail) => isReserved(mail.to) || (await isTesting(mail)), smtp, outbox.email)
        : outbox.email,
    ),
    sms: texts
      ? unless(async (text) => isFictional(text.to) || (await isTesting(text)), texts, outbox.sms)
      : outbox.sms,
  }
}

function findSmtp({ SMTP_URL, MAIL_FROM }: Setting['config'], sent: SentStore, log: JobLog): Carrier | null {
  const sender = MAIL_FROM === undefined ? null : readSender(MAIL_FROM)
  if (SMTP_URL === undefined || sender === null) return null
  return withCircuit(createSmtp(readSmtp(SMTP_URL), sender, sent), { name: 'email', log })
}

/** The demo sends no texts: the numbers of its people may belong to somebody. */
function findTexts(config: Setting['config'], sent: SentStore, log: JobLog): Carrier | null {
  if (config.DEMO) return null
  const both = [findTwilio(config, sent), findVonage(config, sent)]
  const [texts, other] = config.SMS_CARRIER === 'vonage' ? both.reverse() : both
  const hearsReplies = config.PUBLIC_ORIGIN.startsWith('https:') && isNumber(config)
  return texts
    ? withCircuit({ ...texts, hearsReplies, others: other ? [other] : [] }, { name: 'sms', log })
    : null
}

/** A text whose sender is a name cannot be answered. */
function isNumber({ SMS_CARRIER, TWILIO_FROM, VONAGE_FROM }: Setting['config']): boolean {
  return /^(\+?\d+|MG[0-9a-f]{32})$/.test((SMS_CARRIER === 'vonage' ? VONAGE_FROM : TWILIO_FROM) ?? '')
}

function findTwilio(config: Setting['config'], sent: SentStore) {
  const { TWILIO_ACCOUNT_SID: account, TWILIO_AUTH_TOKEN: token, TWILIO_FROM: from, PUBLIC_ORIGIN } = config
  if (!account || !token || !from) return null
  // A carrier cannot reach a developer's own machine.
  const isPublic = PUBLIC_ORIGIN.startsWith('https:')
  const status_address = isPublic ? `${PUBLIC_ORIGIN}/api/v1/hooks/sms/status` : null
  const api = config.TWILIO_API_URL?.replace(/\/$/, '')
  return createTwilio({ account, token, from, status_address, api }, sent)
}

function findVonage(config: Setting['config'], sent: SentStore) {
  const { VONAGE_APPLICATION_ID: application, VONAGE_PRIVATE_KEY: private_key, VONAGE_FROM: from } = config
  if (!application || !private_key || !from) return null
  const { VONAGE_API_KEY: key, VONAGE_API_SECRET: secret } = config
  const account = key && secret ? { key, secret } : undefined
  const api = config.VONAGE_API_URL?.replace(/\/$/, '')
  return createVonage({ application, private_key, from, account, api }, sent)
}

/** Reserved domains have no mailboxes, so a demo with a mail server writes to nobody. */
const isReserved = (address: string): boolean =>
  /[@.](example|test|invalid|localhost|example\.(com|net|org))$/i.test(address)

/** Numbers reserved for fiction, like those of the demo: they reach nobody. */
const isFictional = (number: string): boolean => /^\+1\d{3}55501\d{2}$/.test(number)

/** Gives each mail its tenant's name and logo. While these cannot be read, the mail counts as not sent (`busy`). */
const inTheirName = (database: Databases['worker'], carrier: Carrier): Carrier => ({
  ...carrier,
  async send(message) {
    if (message.letterhead) return carrier.send(message)
    const letterhead = await inScope(database, systemActor(message.tenant_id), readLetterhead).catch(() =>
      Promise.reject(new CarrierError('busy', 'database')),
    )
    return carrier.send({ ...message, letterhead })
  },
})

function unless(stays: (message: Message) => Promise<boolean>, real: Carrier, kept: Carrier): Carrier {
  return {
    ...real,
    async send(message) {
      // While it is unknown which carrier applies, the message counts as not sent.
      const stay = await stays(message).catch(() => Promise.reject(new CarrierError('busy', 'database')))
      return (stay ? kept : real).send(message)
    },
    find: async (message) => (await kept.find(message)) ?? real.find(message),
  }
}

/** Sign-in messages are useless after this time. */
const PATIENCE_MS = 60 * 60 * 1000
const NEXT_TRY_MS = 5000

/** Sends a message at once; if the carrier is busy, a job tries again. */
export function sendPatiently(carriers: Carriers, { worker }: Pick<Databases, 'worker'>) {
  return async (message: Message): Promise<void> => {
    try {
      await carriers[message.channel].send(message)
    } catch (error) {
      if (!(error instanceof CarrierError) || error.outcome !== 'busy') throw error
      const { tenant_id } = message
      const payload = {
        tenant_id,
        sealed: seal(JSON.stringify(message), `message:${tenant_id}`),
        until: new Date(Date.now() + PATIENCE_MS),
      }
      const run_at = new Date(Date.now() + (error.retryAfter ? error.retryAfter * 1000 : NEXT_TRY_MS))
      await inScope(worker, systemActor(tenant_id), ({ db }) =>
        addJob(db, 'carry-message', payload, { run_at, carrier: message.channel }),
      )
    }
  }
}

export function describeCarriers({ SMTP_URL, MAIL_FROM, ...config }: Setting['config']): string {
  const [carrier, from] =
    config.SMS_CARRIER === 'vonage' ? ['Vonage', config.VONAGE_FROM] : ['Twilio', config.TWILIO_FROM]
  const texts = config.DEMO ? undefined : from
  const files = `files in ${folderOf(config)}`
  if (SMTP_URL === undefined && texts === undefined)
    return `No message leaves this machine: mails and texts are ${files}`
  const mails = SMTP_URL ? `leave by ${new URL(SMTP_URL).hostname} as ${MAIL_FROM}` : `are ${files}`
  return `Mails ${mails}; texts ${texts ? `leave by ${carrier} from ${texts}` : `are ${files}`}`
}

/** Warns once at the start; a mail server that is briefly away does not stop the process. */
export async function checkCarriers({ SMTP_URL }: Setting['config'], log: JobLog): Promise<void> {
  const why = SMTP_URL === undefined ? null : await tryOut(readSmtp(SMTP_URL))
  if (why) log.warn({ event: 'mail.unreachable', why })
}
