/** The form of one block of a lift's page: a text, a picture, a recording, a file, a link. */
import { getFormProps, type useForm } from '@conform-to/react'
import type { ComponentProps } from 'react'
import type { z } from 'zod'
import { TAKEN_TYPES } from '#app/domain/files/upload.ts'
import { BlockForm, type BlockKind, nameBlock } from '#app/domain/lifts/block-form.ts'
import { Lift } from '#app/domain/lifts/lift.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput, ChoiceInput } from '#app/ui/form/choice-input.tsx'
import { FileInput } from '#app/ui/form/file-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { useRefused } from '#app/ui/form/refused.ts'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextArea, TextInput } from '#app/ui/form/text-input.tsx'
import { ImpactQuestion } from '../impact-question.tsx'
import { useLiftAddress } from './address.ts'
import { LiftPage } from './lift-page.tsx'

export const BLOCK_NAMES: Readonly<Record<BlockKind, string>> = {
  text: 'Text',
  image: 'Image',
  video: 'Video',
  audio: 'Audio',
  file: 'File',
  link: 'Link',
  callout: 'Callout',
}
const ACCEPT: Partial<Record<BlockKind, string>> = {
  image: TAKEN_TYPES.image.join(','),
  video: TAKEN_TYPES.media.filter((type) => type.startsWith('video')).join(','),
  audio: TAKEN_TYPES.media.filter((type) => type.startsWith('audio')).join(','),
  file: TAKEN_TYPES.file.join(','),
}
const FILE_HELP: Partial<Record<BlockKind, string>> = {
  image: 'PNG, JPEG, WebP or GIF, up to 25 MB. It is resized, and camera data (location, time) is removed.',
  video: 'MP4 or WebM, up to 25 MB.',
  audio: 'MP3, M4A, OGG or WAV, up to 25 MB.',
  file: 'A PDF, text, CSV or ZIP file, up to 25 MB.',
}
const TONES = [
  { value: 'info', label: 'Good to know' },
  { value: 'success', label: 'Well done' },
  { value: 'warning', label: 'Take care' },
]

type BlockFieldsProps = Pick<ComponentProps<typeof LiftPage>, 'journey' | 'lift' | 'preview'> & {
  /** The index of an existing block, or the kind of a new one. */
  place: number | BlockKind
}

export function BlockFields({ journey, lift, preview, place }: BlockFieldsProps) {
  const { lift: back, schedule } = useLiftAddress()
  const { block, kind } = useBlock(lift, place)
  const { form, fields, stored } = useSchemaForm(BlockForm, {
    id: 'block',
    defaultValue: { ...block, kind, lock_version: lift?.lock_version ?? 0 },
  })
  const saved = Lift.safeParse(stored).data
  const accept = ACCEPT[kind]
  return (
    <LiftPage {...{ journey, lift, preview }} title={`${block ? 'Edit' : 'Add'}: ${BLOCK_NAMES[kind]}`}>
      <Form
        method="post"
        preventScrollReset
        {...getFormProps(form)}
        className="stack"
        {...(accept ? { encType: 'multipart/form-data' as const } : {})}
      >
        <ImpactQuestion />
        <FormErrors
          form={form}
          labels={{ markdown: 'Text', href: 'Address', alt: 'Alternative text', captions_file: 'Captions' }}
        />
        {saved ? <BlockMeanwhile saved={saved} place={place} kind={kind} fields={fields} /> : null}
        <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
        <input type="hidden" name="kind" value={kind} />
        <KindFields kind={kind} fields={fields} />
        <FormActions>
          <ButtonLink to={lift ? back : schedule} variant="soft" color="gray">
            {lift ? 'Back to the lift' : 'Back to the schedule'}
          </ButtonLink>
          {lift ? <SubmitButton>Save {BLOCK_NAMES[kind].toLowerCase()}</SubmitButton> : null}
        </FormActions>
      </Form>
    </LiftPage>
  )
}

/** The block being edited; another one may have moved to its index. */
function useBlock(lift: Lift | null, place: number | BlockKind) {
  const typed = BlockForm.shape.kind.safeParse(useRefused().lastResult?.initialValue?.kind).data
  const there = typeof place === 'number' ? lift?.blocks[place] : undefined
  const block = typed && there?.kind !== typed ? undefined : there
  return { block, kind: typed ?? (typeof place === 'string' ? place : (block?.kind ?? 'text')) }
}

type BlockMeanwhileProps = { saved: Lift; place: number | BlockKind; kind: BlockKind; fields: Fields }

function BlockMeanwhile({ saved, place, kind, fields }: BlockMeanwhileProps) {
  const there = typeof place === 'number' ? saved.blocks[place] : undefined
  const theirs = there?.kind === kind ? nameBlock(there) : ''
  const typed = fields.markdown.value ?? fields.title.value ?? fields.alt.value ?? ''
  return (
    <>
      <SavedMeanwhile differences={[{ label: BLOCK_NAMES[kind], saved: theirs, typed }]} />
      {typeof place === 'number' && there?.kind !== kind ? (
        <p>
          Someone removed or moved it while you were editing. Saving again adds yours at the end of the page.
        </p>
      ) : null}
    </>
  )
}

type Fields = ReturnType<typeof useForm<z.input<typeof BlockForm>>>[1]

function CaptionFields({ fields }: { fields: Fields }) {
  const there = fields.captions.initialValue ?? ''
  return (
    <>
      <input type="hidden" name="captions" value={there} />
      <FileInput
        field={fields.captions_file}
        label={there ? 'Replace the captions' : 'Captions'}
        accept="text/vtt,.vtt"
        help="A WebVTT file (.vtt): what is said, with its times."
      />
      {there ? <CheckboxInput field={fields.no_captions} label="Remove the captions" /> : null}
    </>
  )
}

/** Only the fields of its kind. */
function KindFields({ kind, fields }: { kind: BlockKind; fields: Fields }) {
  const accept = ACCEPT[kind]
  return (
    <>
      {accept ? (
        <>
          <input type="hidden" name="src" value={fields.src.initialValue ?? ''} />
          <FileInput
            field={fields.file}
            label={fields.src.initialValue ? 'Replace the file' : 'File'}
            accept={accept}
            help={FILE_HELP[kind]}
          />
        </>
      ) : null}
      {kind === 'image' ? (
        <TextInput
          field={fields.alt}
          label="Alternative text"
          maxLength={300}
          required
          help="What the picture shows, for those who cannot see it."
        />
      ) : null}
      {kind === 'link' ? <TextInput field={fields.href} label="Address" type="url" required /> : null}
      {['video', 'audio', 'file', 'link'].includes(kind) ? (
        <TextInput field={fields.title} label="Title" maxLength={120} required />
      ) : null}
      {kind === 'video' || kind === 'audio' ? (
        <TextArea
          field={fields.transcript}
          label="Transcript"
          rows={8}
          help="What is said, for those who cannot hear it. Leave it blank only with captions."
        />
      ) : null}
      {kind === 'video' || kind === 'audio' ? <CaptionFields fields={fields} /> : null}
      {kind === 'callout' ? <ChoiceInput field={fields.tone} label="Tone" options={TONES} /> : null}
      {kind === 'text' || kind === 'callout' ? (
        <TextArea
          field={fields.markdown}
          label="Text"
          rows={10}
          required
          help="Markdown: **bold**, lists, links."
        />
      ) : null}
    </>
  )
}
