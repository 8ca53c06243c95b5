import { z } from 'zod'
import { Block } from './blocks.ts'

export const BLOCK_KINDS = ['text', 'image', 'video', 'audio', 'file', 'link', 'callout'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

const words = z.string().default('')

export const BlockForm = z
  .object({
    kind: z.enum(BLOCK_KINDS),
    lock_version: z.number().int().min(0),
    file: z.instanceof(File).optional(),
    src: words,
    alt: words,
    title: words,
    transcript: words,
    captions: words,
    captions_file: z.instanceof(File).optional(),
    no_captions: z.boolean().default(false),
    href: words,
    markdown: words,
    tone: z.enum(['info', 'success', 'warning']).default('info'),
  })
  .superRefine((form, context) => {
    const src = form.file && form.file.size > 0 ? '/files/new' : form.src
    const captions = form.captions_file && form.captions_file.size > 0 ? '/files/new' : form.captions
    const parsed = Block.safeParse(blockOfForm({ ...form, src, captions }))
    for (const { path, message } of parsed.error?.issues ?? []) {
      const name = String(path[0] ?? 'kind')
      context.addIssue({ code: 'custom', path: [FILE_FIELDS[name] ?? name], message })
    }
  })
export type BlockForm = z.infer<typeof BlockForm>

/** An error about a file's path belongs at the field in which the file was chosen. */
const FILE_FIELDS: Readonly<Record<string, string>> = { src: 'file', captions: 'captions_file' }

/** Keeps only the fields of the block's kind. */
export function blockOfForm(form: Omit<BlockForm, 'lock_version' | 'file' | 'captions_file'>): Block {
  const { kind, src, alt, title, transcript, captions, no_captions, href, markdown, tone } = form
  switch (kind) {
    case 'text':
      return { kind, markdown }
    case 'callout':
      return { kind, tone, markdown }
    case 'image':
      return { kind, src, alt }
    case 'video':
    case 'audio':
      return { kind, src, title, transcript, ...(captions && !no_captions && { captions }) }
    case 'file':
      return { kind, src, title }
    case 'link':
      return { kind, href, title }
  }
}

/** The first line, without Markdown for a heading, list, quotation or bold type. */
const withoutMarks = (markdown: string): string =>
  (markdown.trimStart().split('\n', 1)[0] ?? '').replace(/^(?:#+|>|[-*])\s+|\*\*/g, '')

export function nameBlock(block: Block): string {
  if ('markdown' in block) return withoutMarks(block.markdown).slice(0, 80)
  return 'alt' in block ? block.alt : block.title
}
