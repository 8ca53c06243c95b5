import { parseWithZod } from '@conform-to/zod/v4'
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import {
  type IdentityPort,
  type Interaction,
  isIdentityError,
  type Outcome,
} from '#app/auth/identity-port.ts'
import { Credentials } from '#app/domain/authenticator/credentials.ts'
import { newPasswordOf } from '#app/domain/authenticator/new-password.ts'
import { requireStranger } from '../guards.server.ts'
import { ForceNewPassword, Lost, SignIn } from './authenticator-parts.tsx'

const TITLES = { signIn: 'Sign In', forceNewPassword: 'Change Password' }

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  const title = data?.interaction ? TITLES[data.interaction.screen] : 'Sign-in not found'
  return [{ title: error ? 'Error · Liftwell' : `${title} · Liftwell` }]
}

export async function loader(args: LoaderFunctionArgs) {
  await requireStranger(args)
  const { screen = '' } = args.params
  if (!Object.hasOwn(TITLES, screen)) return data({ interaction: null }, { status: 404 })

  const interaction = await args.context.identity.current()
  if (!interaction) return data({ interaction: null }, { status: 410 })
  if (interaction.screen !== screen) throw redirect(`/login/${interaction.screen}`)
  return data({ interaction })
}

export async function action(args: ActionFunctionArgs) {
  await requireStranger(args)
  const { identity } = args.context
  const interaction = await identity.current()
  if (!interaction) throw redirect('/login?expired=1')

  const form = await args.request.formData()
  if (form.get('intent') === 'back') {
    await identity.cancel()
    throw redirect('/login/signIn')
  }
  return interaction.screen === 'signIn'
    ? signIn(identity, form)
    : chooseNewPassword(identity, interaction, form)
}

async function signIn(identity: IdentityPort, form: FormData) {
  const submission = parseWithZod(form, { schema: Credentials })
  if (submission.status !== 'success') return data(submission.reply(HIDDEN), { status: 400 })
  try {
    return follow(await identity.signIn(submission.value))
  } catch (error) {
    if (!isIdentityError(error)) throw error
    return data(submission.reply({ ...HIDDEN, formErrors: [error.message] }), { status: statusOf(error) })
  }
}

async function chooseNewPassword(identity: IdentityPort, { password_policy }: Interaction, form: FormData) {
  const submission = parseWithZod(form, { schema: newPasswordOf(password_policy) })
  if (submission.status !== 'success') return data(submission.reply(HIDDEN), { status: 400 })
  try {
    return follow(await identity.completeNewPassword(submission.value))
  } catch (error) {
    if (!isIdentityError(error)) throw error
    const reply =
      error.name === 'InvalidPasswordException'
        ? { fieldErrors: { password: [error.message] } }
        : { formErrors: [error.message] }
    return data(submission.reply({ ...HIDDEN, ...reply }), { status: statusOf(error) })
  }
}

/** What was typed comes back with the errors, save passwords. */
const HIDDEN = { hideFields: ['password', 'confirm_password'] }

const statusOf = (error: Error) => (error.name === 'LimitExceededException' ? 429 : 400)

/** The provider's addresses are no screens of this site: the browser goes there as a whole. */
function follow(outcome: Outcome): never {
  if (outcome.step === 'DONE') throw redirectDocument(outcome.redirect_to)
  if (outcome.step === 'EXPIRED') throw redirect('/login?expired=1')
  throw redirect('/login/forceNewPassword')
}

export default function Authenticator() {
  const { interaction } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()
  // Each answer is a form of its own: without the passwords typed before, or the refusal that was dismissed.
  const { key } = useLocation()
  if (!interaction) return <Lost />
  const Screen = interaction.screen === 'signIn' ? SignIn : ForceNewPassword
  return <Screen key={key} interaction={interaction} lastResult={lastResult} />
}
