/** Keeps each message as a file where there are no carriers, and deletes the oldest. For the operator only. */
import { chmod, mkdir, readdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Message } from '#app/integrations/carrier.ts'
import { composeMail } from './mail.server.ts'

const MAX_FILES = 500
const LONGEST_DAYS = 7
const SENDER = { name: 'Liftwell', address: 'liftwell@localhost' }

export type OutboxFolder = {
  /** `id` is the message's id in the outbox, by which its file is found again. */
  keep(messages: readonly { message: Message; id: number }[]): Promise<void>
  forget(ids: readonly number[]): Promise<void>
  forgetOld(): Promise<void>
}

export function createOutboxFolder(folder: string, most = MAX_FILES): OutboxFolder {
  return {
    async keep(messages) {
      if (messages.length === 0) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await chmod(folder, 0o700)
      const kept = { mode: 0o600, flag: 'wx' }
      await Promise.all(
        messages
          .slice(-most)
          .map(async ({ message, id }) =>
            writeFile(join(folder, nameOf(message, id)), await contentOf(message), kept),
          ),
      )
      await forgetOld(folder, most)
    },
    async forget(ids) {
      const wanted = new Set(ids)
      const names = await namesIn(folder)
      await removeAll(
        folder,
        names.filter((name) => wanted.has(Number(/Z-(\d+)-/.exec(name)?.[1]))),
      )
    },
    forgetOld: () => forgetOld(folder, most),
  }
}

const contentOf = async (message: Message): Promise<Buffer | string> =>
  message.channel === 'email'
    ? (await composeMail(message, SENDER)).bytes
    : `To: ${message.to}\n\n${message.text}\n`

/** Sorted by time, the newest last; the recipient is for reading only. */
function nameOf({ channel, to }: Message, id: number): string {
  const time = new Date().toISOString().replaceAll(':', '-')
  const recipient = to.replace(/[^\w.@+-]/g, '_').slice(0, 80)
  const kind = channel === 'email' ? 'eml' : 'txt'
  return `${time}-${String(id).padStart(8, '0')}-${recipient}.${kind}`
}

async function forgetOld(folder: string, most: number): Promise<void> {
  const names = await namesIn(folder)
  const since = new Date(Date.now() - LONGEST_DAYS * 24 * 60 * 60 * 1000).toISOString().replaceAll(':', '-')
  await removeAll(
    folder,
    names.filter((name, index) => index < names.length - most || name < since),
  )
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => /^\d{4}-.*\.(eml|txt)$/.test(name)).sort()
}

async function removeAll(folder: string, names: readonly string[]): Promise<void> {
  await Promise.all(names.map((name) => unlink(join(folder, name)).catch(() => {})))
}
