import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { createUser } from '#app/api/contract/people/users.ts'
import { UserForm } from '#app/domain/users/user.ts'
import { redirectWithToast } from '#app/routes/flash.server.ts'
import { saveForm } from '#app/routes/save-form.server.ts'
import { ButtonLink } from '#app/ui/button.tsx'
import { backAddress, useBackAddress } from '#app/ui/list/list-place.ts'
import { Page } from '#app/ui/page.tsx'
import { readChoices, requirePeople } from './guard.server.ts'
import { toBody } from './save-user.server.ts'
import { UserFields } from './user-form.tsx'

export const meta: MetaFunction = () => [{ title: 'Add user · Liftwell' }]

export async function loader(args: LoaderFunctionArgs) {
  return readChoices(await requirePeople(args, 'users:create'))
}

export async function action(args: ActionFunctionArgs) {
  const { api } = await requirePeople(args, 'users:create')
  return saveForm(await args.request.formData(), UserForm, async (form) => {
    const { name } = await api(createUser, toBody(form))
    return redirectWithToast(backAddress('/users', new URL(args.request.url).searchParams), {
      title: 'User added',
      message: form.send_welcome ? `${name} gets an invitation.` : `${name} was not invited yet.`,
    })
  })
}

export default function AddUser() {
  const choices = useLoaderData<typeof loader>()
  const list = useBackAddress()('/users')
  return (
    <Page title="Add user" lead="Add a colleague and choose their roles.">
      <UserFields {...choices} manages>
        <ButtonLink to={list} variant="soft" color="gray">
          Cancel
        </ButtonLink>
      </UserFields>
    </Page>
  )
}
