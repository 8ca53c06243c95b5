import { getFormProps, useForm } from '@conform-to/react'
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
} from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { z } from 'zod'
import { listImports, startImport } from '#app/api/contract/people/user-imports.ts'
import { IMPORT_ACCEPT, IMPORT_HELP, IMPORT_LABELS, ImportSearch } from '#app/domain/users/imports/import.ts'
import { requireIntent } from '#app/routes/intent.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { searchOf } from '#app/routes/search-of.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { CheckboxInput } from '#app/ui/form/choice-input.tsx'
import { FileInput } from '#app/ui/form/file-input.tsx'
import { FormActions, FormErrors, FormSection, SubmitButton } from '#app/ui/form/form.tsx'
import { useRefused } from '#app/ui/form/refused.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { useBackAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { EarlierImports } from './earlier-imports.tsx'
import { requirePeople } from './guard.server.ts'

const ImportForm = z.object({
  // A browser sends a nameless file where none was chosen.
  file: z.custom<File>((file) => file instanceof File && file.name !== '', 'Please choose a file'),
  send_welcome: z.boolean().default(false),
})

export const meta: MetaFunction = () => [{ title: 'Import users · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  const search = ImportSearch.parse(searchOf(args.request))
  return { imports: await api(listImports, search) }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  const formData = await args.request.formData()
  const dry_run = requireIntent(formData, ['check', 'import']) === 'check'
  return saveForm(formData, ImportForm, async (form) => {
    const { id } = await api(startImport, { ...form, dry_run })
    return redirect(`/users/import/${id}`)
  })
}

export default function ImportUsers() {
  const { imports } = useLoaderData<typeof loader>()
  const list = useBackAddress()('/users')
  const [form, fields] = useForm<z.input<typeof ImportForm>>({
    id: 'import',
    defaultValue: { send_welcome: true },
    lastResult: useRefused().lastResult,
    defaultNoValidate: false,
  })
  return (
    <Page
      title="Import users"
      lead="Add many people from a file. People who already have an account are skipped."
    >
      <Form method="post" encType="multipart/form-data" {...getFormProps(form)}>
        <FormErrors form={form} labels={{ file: 'File of people' }} />
        <FormSection
          title="File"
          help={
            <>
              Columns: {Object.values(IMPORT_LABELS).join(', ')}. Several roles or sub-tenants in one cell are
              separated by a bar: author|user. Download a template:{' '}
              <a href="/users/import/template?format=xlsx" download>
                Excel
              </a>
              ,{' '}
              <a href="/users/import/template" download>
                CSV
              </a>
            </>
          }
        >
          <FileInput
            field={fields.file}
            label="File of people"
            help={IMPORT_HELP}
            accept={IMPORT_ACCEPT}
            required
          />
          <CheckboxInput
            field={fields.send_welcome}
            label="Send the invitations"
            help="To everyone who is created, except those the file deactivates."
          />
          <p className="field-help">
            Checking the file shows what would happen to each row, and changes nothing.
          </p>
        </FormSection>
        <FormActions>
          <ButtonLink to={list} variant="soft" color="gray">
            Cancel
          </ButtonLink>
          <SubmitButton intent="check">Check the file</SubmitButton>
          <SubmitButton intent="import" variant="soft">
            Import users
          </SubmitButton>
        </FormActions>
      </Form>
      <EarlierImports imports={imports} />
    </Page>
  )
}
