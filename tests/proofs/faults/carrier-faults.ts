/** Faults of the external carriers. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Channel, Mood } from './carriers.ts'
import type { Kind, Setting } from './kind.ts'

const MOODY_MS = 4000
/** The longest delay allowed for messages of the other carrier. */
const OTHERS_MS = 5000

const CHANNELS: readonly Channel[] = ['sms', 'email']

/** One carrier at a time; the other one's messages must be sent as always. */
const moody = (name: string, moods: readonly Mood[]): Kind => ({
  name,
  async happen(setting, round) {
    const channel = CHANNELS[round % 2] ?? 'sms'
    const mood = moods[Math.floor(round / 2) % moods.length] ?? 'hang'
    const draft = await setting.author.write(1)
    setting.carriers.be(channel, mood)
    await sleep(MOODY_MS / 2)
    if (draft) await expectOthers(setting, channel, draft)
    await sleep(MOODY_MS / 2)
    setting.carriers.be(channel, 'take')
  },
})

async function expectOthers(
  { author, carriers, findings }: Setting,
  moody: Channel,
  draft: NonNullable<Awaited<ReturnType<Setting['author']['write']>>>,
): Promise<void> {
  if (!(await author.launch(draft))) return
  const others = draft.learners.filter(({ channel }) => channel !== moody)
  const began = Date.now()
  while (!others.every(({ channel, address }) => carriers.hasTaken(channel, address))) {
    if (Date.now() - began > OTHERS_MS)
      return findings.miss(`the other carrier's message waited for more than ${OTHERS_MS} ms`, draft.name)
    await sleep(50)
  }
}

export const CARRIER_FAULTS: readonly Kind[] = [
  moody('carrier hanging', ['hang']),
  moody('carrier dropping after it has taken', ['drop']),
  moody('carrier refusing', ['busy', 'broken']),
]
