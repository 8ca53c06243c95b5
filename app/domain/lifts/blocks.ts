/** The blocks of a lift's page. */
import { z } from 'zod'
import { figures } from '#app/domain/text/figures.ts'
import { REQUIRED, requiredLine, STORABLE } from '#app/domain/text/text.ts'

const prose = (max: number) =>
  z
    .string({ error: REQUIRED })
    .trim()
    .min(1, REQUIRED)
    .max(max, `Please use at most ${figures(max)} characters`)
    .regex(...STORABLE)
    .transform((text) => text.replace(/\r\n?/g, '\n'))
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'
/** Pages load no external content; only links lead outside. */
const source = z.string().regex(new RegExp(`^/files/${UUID}/${UUID}$`), 'Please choose a file')
const webAddress = z.url({ protocol: /^https?$/, error: 'Please enter a web address' }).max(2000)

/** A recording has a transcript below it, captions, or both. */
const recording = {
  src: source,
  title: requiredLine(120),
  transcript: prose(50_000).or(z.literal('')).default(''),
  /** A WebVTT file. */
  captions: source.optional(),
}
const isHeard = ({ transcript, captions }: { transcript: string; captions?: string | undefined }) =>
  transcript !== '' || captions !== undefined
const UNHEARD = { path: ['transcript'], error: 'Please give a transcript, or captions' }

export const Block = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), markdown: prose(20_000) }),
  z.strictObject({ kind: z.literal('image'), src: source, alt: requiredLine(300) }),
  z.strictObject({ kind: z.literal('video'), ...recording }).refine(isHeard, UNHEARD),
  z.strictObject({ kind: z.literal('audio'), ...recording }).refine(isHeard, UNHEARD),
  z.strictObject({ kind: z.literal('file'), src: source, title: requiredLine(120) }),
  z.strictObject({ kind: z.literal('link'), href: webAddress, title: requiredLine(120) }),
  z.strictObject({
    kind: z.literal('callout'),
    tone: z.enum(['info', 'success', 'warning']),
    markdown: prose(5000),
  }),
])
export type Block = z.infer<typeof Block>
export const Blocks = z.array(Block).max(50)
