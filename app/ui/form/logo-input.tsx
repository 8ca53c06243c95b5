/** The choice of a logo: the current one, a new one (previewed with JavaScript), or none. */
import type { FieldMetadata } from '@conform-to/react'
import { useActionData } from '@remix-run/react'
import { type FormEvent, useState } from 'react'
import { CheckboxInput } from './choice-input.tsx'
import { FileInput } from './file-input.tsx'

type LogoInputProps<Schema extends Record<string, unknown>> = {
  field: FieldMetadata<File | undefined, Schema>
  removeField: FieldMetadata<boolean | undefined, Schema>
  logo: string | null | undefined
  help: string
}

export function LogoInput<Schema extends Record<string, unknown>>({
  field,
  removeField,
  logo,
  help,
}: LogoInputProps<Schema>) {
  const [chosen, setChosen] = useState<string | null>(null)
  const answer = useActionData<{ had_file?: boolean }>()
  // After a submit by script, the file is still there; a reloaded page has lost it.
  const [isLost] = useState(Boolean(answer?.had_file && !field.errors))
  const again = isLost ? 'Please choose the logo again: a browser does not keep files. ' : ''
  const look = (event: FormEvent) => {
    const { files } = event.target as HTMLInputElement
    if (files) readPicture(files[0]).then(setChosen)
  }
  const shown = chosen ?? logo
  return (
    <>
      {shown ? (
        <img
          className="logo-preview"
          src={shown}
          alt={chosen ? 'Chosen logo' : 'Current logo'}
          width={96}
          height={96}
        />
      ) : null}
      <div onChange={look}>
        <FileInput
          field={field}
          label={logo ? 'New logo' : 'Logo'}
          help={`${again}${help}`}
          accept="image/png,image/jpeg,image/webp,image/gif"
        />
      </div>
      {logo ? <CheckboxInput field={removeField} label="Remove the logo" /> : null}
    </>
  )
}

function readPicture(file: File | undefined): Promise<string | null> {
  if (!file?.type.startsWith('image/')) return Promise.resolve(null)
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => resolve(null)
    reader.readAsDataURL(file)
  })
}
