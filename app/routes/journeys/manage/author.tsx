import { getFormProps } from '@conform-to/react'
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import type { ApiClient } from '#app/api/client.server.ts'
import { changeAuthor, getJourney } from '#app/api/contract/journeys.ts'
import { listUsers } from '#app/api/contract/people/users.ts'
import { refuse } from '#app/api/refuse.server.ts'
import { may } from '#app/domain/access/permissions.ts'
import { Journey } from '#app/domain/journeys/journey.ts'
import { AuthorForm } from '#app/domain/journeys/journey-form.ts'
import { isolated } from '#app/domain/text/isolated.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { noPermission, requireDashboard } from '#app/routes/guards.server.ts'
import { readForm } from '#app/routes/read-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { SelectInput } from '#app/ui/form/choice-input.tsx'
import { FormActions, FormErrors, SubmitButton } from '#app/ui/form/form.tsx'
import { SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { useSchemaForm } from '#app/ui/form/schema-form.ts'
import { Form } from '#app/ui/form/scoped-form.tsx'
import { SeenVersion } from '#app/ui/form/seen-version.tsx'
import { Page } from '#app/ui/page.tsx'
import { SearchPeople } from '../search-people.tsx'
import { listOf, useListAddress } from './address.ts'

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Author of ${isolated(data?.journey.name ?? 'a journey')} · Liftwell` },
]

export async function loader(args: LoaderFunctionArgs) {
  const { api, actor } = await requireDashboard(args)
  if (!may(actor, 'journeys:edit_author')) throw noPermission()
  const q = (new URL(args.request.url).searchParams.get('writer') ?? '').trim().slice(0, 200)
  const journey = await api(getJourney, { id: args.params.journeyId })
  return { journey, q, ...(await listAuthors(api, journey, q)) }
}

/** Matching people who can become the author; the list shows some of them. */
async function listAuthors(api: ApiClient, { sub_tenant_id: where }: Journey, q: string) {
  const { data, pagination } = await api(listUsers, {
    ...{ role: ['admin', 'author'], q },
    per_page: 100,
    order_by: 'name',
    order: 'asc',
  })
  const people = data.filter(
    ({ activation_status, user_general_roles }) =>
      activation_status !== 'disabled' &&
      user_general_roles.some(
        ({ role, sub_tenant_id }) => role !== 'user' && (sub_tenant_id === null || sub_tenant_id === where),
      ),
  )
  return {
    people: people.map(({ id, name, email }) => ({ id, name: name || email })),
    hasMore: pagination.total_pages > 1,
  }
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requireDashboard(args)
  const submission = readForm(await args.request.formData(), AuthorForm)
  if (submission.status !== 'success') return refuse(submission)
  try {
    const { author } = await api(changeAuthor, { id: args.params.journeyId }, submission.value)
    return redirectWithToast(listOf(args.request), { title: 'Author changed', message: author.name })
  } catch (error) {
    return refuse(submission, error)
  }
}

export default function ChangeAuthor() {
  const { journey, q, people, hasMore } = useLoaderData<typeof loader>()
  return (
    <Page
      title={`Author of ${isolated(journey.name)}`}
      lead="Authors see and edit only their own journeys."
      narrow
    >
      {hasMore || q ? <SearchPeople name="writer" label="Find an author" words={q} /> : null}
      {q && people.length === 0 ? (
        <p className="people-mail" role="status">
          No author or administrator matches “{q}”.
        </p>
      ) : null}
      <AuthorFields />
    </Page>
  )
}

function AuthorFields() {
  const { journey, people, hasMore } = useLoaderData<typeof loader>()
  const { list } = useListAddress()
  const { form, fields, stored } = useSchemaForm(AuthorForm, {
    id: 'author',
    defaultValue: { author_id: journey.author_id, lock_version: journey.lock_version },
  })
  const saved = Journey.safeParse(stored).data
  // The present author is selected by default.
  const others = people.filter(({ id }) => id !== journey.author_id)
  const offered = [journey.author, ...others]
  const typed = offered.find(({ id }) => String(id) === fields.author_id.value)?.name ?? ''
  return (
    <Form method="post" {...getFormProps(form)} className="stack">
      <FormErrors form={form} />
      {saved ? <SavedMeanwhile differences={[{ label: 'Author', saved: saved.author.name, typed }]} /> : null}
      <SeenVersion field={fields.lock_version} saved={saved?.lock_version} />
      <SelectInput
        field={fields.author_id}
        label="Author"
        options={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
        help={hasMore ? 'These are the first of many: find others by name or e-mail.' : undefined}
        required
      />
      <FormActions>
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
        <SubmitButton>Save author</SubmitButton>
      </FormActions>
    </Form>
  )
}
