import { getFormProps } from '@conform-to/react'
import { UserGroup, UserGroupForm } from '#app/domain/users/groups/user-group.ts'
import { FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { TextInput } from '#app/ui/form/text-input.tsx'

export function Rename({ group: { name, lock_version } }: { group: UserGroup }) {
  const { form, fields, stored, typed } = useSchemaForm(UserGroupForm, {
    id: 'group',
    defaultValue: { name, lock_version },
  })
  const saved = UserGroup.safeParse(stored).data
  return (
    <section className="section section-apart page-narrow" aria-labelledby="rename">
      <h2 id="rename">Name of the group</h2>
      <Form method="post" {...getFormProps(form)} className="stack">
        <FormErrors form={form} />
        {saved ? <SavedMeanwhile differences={compare({ name: 'Name' }, saved, typed)} /> : null}
        <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
        <TextInput field={fields.name} label="Name" maxLength={80} />
        <div>
          <SubmitButton intent="rename">Save name</SubmitButton>
        </div>
      </Form>
    </section>
  )
}
