/**
 * Each message of a platform without carriers as a file as well, for whoever runs it: mails open in any mail program.
 * They are that person's alone, and the oldest go first.
 */
import { chmod, mkdir, readdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from './carrier.ts'
import { composeMail } from './mail.server.ts'

const MOST_FILES = 500
const LONGEST_DAYS = 7
const SENDER = { name: 'Liftwell', address: 'liftwell@localhost' }

export type OutboxFolder = { keep(message: Message): Promise<void> }

export function createOutboxFolder(folder: string, most = MOST_FILES): OutboxFolder {
  return {
    async keep(message) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      await writeFile(join(folder, nameOf(message)), await contentOf(message), { mode: 0o600, flag: 'wx' })
      await forgetOld(folder, most)
    },
  }
}

const contentOf = async (message: Message): Promise<Buffer | string> =>
  message.channel === 'email'
    ? (await composeMail(message, SENDER)).bytes
    : `To: ${message.to}\n\n${message.text}\n`

let count = 0

/** By time, so that the newest stand last; the recipient is there to be seen, not to be trusted. */
function nameOf({ channel, to }: Message): string {
  count = (count + 1) % 10_000
  const time = new Date().toISOString().replaceAll(':', '-')
  const recipient = to.replace(/[^\w.@+-]/g, '_').slice(0, 80)
  const kind = channel === 'email' ? 'eml' : 'txt'
  return `${time}-${String(count).padStart(4, '0')}-${process.pid}-${recipient}.${kind}`
}

async function forgetOld(folder: string, most: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-.*\.(eml|txt)$/.test(name)).sort()
  const since = new Date(Date.now() - LONGEST_DAYS * 24 * 60 * 60 * 1000).toISOString().replaceAll(':', '-')
  const old = names.filter((name, index) => index < names.length - most || name < since)
  // Another process may have been faster.
  await Promise.all(old.map((name) => unlink(join(folder, name)).catch(() => {})))
}
