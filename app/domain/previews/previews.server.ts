/** Every kind of message, as people of this company get it. */
import { notFound } from '../errors.ts'
import { countSegments } from '../journeys/segments.ts'
import type { Scope } from '../scope/scope.server.ts'
import { readLetterhead } from '../tenants/letterhead.server.ts'
import type { Letter, Letterhead } from '../text/letter.ts'
import { findSupport } from '../text-answers/receive-text.server.ts'
import type { MessageKind, MessagePreview } from './preview.ts'
import type { SignInMessage } from './sample-world.ts'
import { samplesOf } from './samples.ts'

export type Setting = {
  origin: string
  signIn: readonly SignInMessage[]
  draw(mail: { subject: string; letter: Letter; letterhead: Letterhead }): string
}

export async function listMessageKinds(scope: Scope, setting: Setting): Promise<{ data: MessageKind[] }> {
  const { samples } = await readSamples(scope, setting)
  return { data: samples.map(({ id, title, when, channel }) => ({ id, title, when, channel })) }
}

export async function previewMessage(
  scope: Scope,
  wanted: string,
  setting: Setting,
): Promise<MessagePreview> {
  const { samples, letterhead } = await readSamples(scope, setting)
  const found = samples.find(({ id }) => id === wanted)
  if (!found) throw notFound()
  const { id, title, when, channel, subject, text, letter } = found
  const about = { id, title, when, channel, text }
  if (!letter)
    return { ...about, from: null, subject: null, html: null, segments: countSegments(text).segments }
  const html = setting.draw({ subject, letter, letterhead })
  return { ...about, from: letterhead.company, subject, html, segments: null }
}

async function readSamples(scope: Scope, { origin, signIn }: Setting) {
  const letterhead = await readLetterhead(scope)
  const support = await findSupport(scope)
  return { letterhead, samples: samplesOf({ company: letterhead.company, origin, support, signIn }) }
}
