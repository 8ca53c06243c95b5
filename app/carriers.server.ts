/** Who carries the platform's messages: real carriers where they are configured, the outbox otherwise. */
import { join } from 'node:path'
import { seal } from '#app/auth/seal.server.ts'
import type { Config } from '#app/config.server.ts'
import type { Databases } from '#app/db/databases.server.ts'
import { addJob } from '#app/db/queue.server.ts'
import { isTestingTenant } from '#app/domain/outbox/sent.server.ts'
import { inScope, systemActor } from '#app/domain/scope.server.ts'
import { type Carrier, CarrierError, type Carriers, type Message } from '#app/integrations/carrier.ts'
import { readSender } from '#app/integrations/mail.server.ts'
import { createOutbox } from '#app/integrations/outbox.server.ts'
import { createOutboxFolder } from '#app/integrations/outbox-folder.server.ts'
import { createSmtp, readSmtp, tryOut } from '#app/integrations/smtp.server.ts'
import type { JobLog } from '#app/jobs/context.ts'
import { outboxStore } from '#app/jobs/outbox-store.server.ts'
import { sentStore } from '#app/jobs/sent-store.server.ts'

type Setting = {
  config: Pick<Config, 'DATA_DIR' | 'SMTP_URL' | 'MAIL_FROM'>
  databases: Pick<Databases, 'worker'>
  log: JobLog
}

const folderOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>) => join(DATA_DIR, 'outbox')

export function createCarriers({ config, databases: { worker }, log }: Setting): Carriers {
  const outbox = createOutbox(outboxStore(worker), createOutboxFolder(folderOf(config)))
  const sender = config.MAIL_FROM === undefined ? null : readSender(config.MAIL_FROM)
  if (config.SMTP_URL === undefined || sender === null) return outbox
  const smtp = createSmtp(readSmtp(config.SMTP_URL), sender, sentStore(worker, log))
  const stays = async ({ tenant_id, to }: Message) =>
    isReserved(to) || (await inScope(worker, systemActor(tenant_id), isTestingTenant))
  return { ...outbox, email: unless(stays, smtp, outbox.email) }
}

/** Names that lead to nobody's mailbox, so that a demo with a mail server writes to none. */
const isReserved = (address: string): boolean =>
  /[@.](example|test|invalid|localhost|example\.(com|net|org))$/i.test(address)

function unless(stays: (message: Message) => Promise<boolean>, real: Carrier, kept: Carrier): Carrier {
  return {
    sendsOncePerKey: real.sendsOncePerKey,
    send: async (message) => ((await stays(message)) ? kept : real).send(message),
    find: async (message) => (await kept.find(message)) ?? real.find(message),
  }
}

/** What a sign-in is waiting for is of no use after that. */
const PATIENCE_MS = 60 * 60 * 1000
const NEXT_TRY_MS = 5000

/** Hands a message over at once; a carrier that has no time now is asked again by a job. */
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
        addJob(db, 'carry-message', payload, { run_at }),
      )
    }
  }
}

/** For the person at the terminal. */
export function describeCarriers({ SMTP_URL, MAIL_FROM, ...config }: Setting['config']): string {
  const folder = folderOf(config)
  if (SMTP_URL === undefined) return `No message leaves this machine: mails and texts are files in ${folder}`
  return `Mails leave by ${new URL(SMTP_URL).hostname} as ${MAIL_FROM}; texts are files in ${folder}`
}

/** Said once when the process starts; a mail server that is away for a moment stops nothing. */
export async function checkCarriers({ SMTP_URL }: Setting['config'], log: JobLog): Promise<void> {
  const why = SMTP_URL === undefined ? null : await tryOut(readSmtp(SMTP_URL))
  if (why) log.warn({ event: 'mail.unreachable', why })
}
