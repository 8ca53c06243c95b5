import {
  type ActionFunctionArgs,
  data,
  type HeadersFunction,
  type LoaderFunctionArgs,
  type MetaFunction,
  redirect,
  redirectDocument,
} from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import type { ComponentType } from 'react'
import { clearCookie, INVITATION_COOKIE, readCookie, withCookies } from '#app/auth/cookies.server.ts'
import type { IdentityError, Interaction } from '#app/auth/identity-port.ts'
import { keeper } from '#app/auth/keeper.server.ts'
import { POLL_SECONDS } from '#app/domain/authenticator/outcomes.ts'
import { isOpen, restore, type State, sentAgain } from '#app/domain/authenticator/state.ts'
import { dialCodes } from '#app/domain/users/phone/phone.ts'
import { errorTitle } from '#app/ui/frame/error-title.ts'
import { requireStranger } from '../guards.server.ts'
import { ConfirmSignIn, ConfirmSignUp, SetupTotp } from './authenticator-codes.tsx'
import { ConfirmVerifyUser, VerifyUser } from './authenticator-contacts.tsx'
import { type Driven, drive, stateOf } from './authenticator-drive.server.ts'
import { Lost, Waiting } from './authenticator-endings.tsx'
import { readForm } from './authenticator-forms.server.ts'
import type { ScreenProps } from './authenticator-parts.tsx'
import { ConfirmResetPassword, ForceNewPassword, ForgotPassword } from './authenticator-passwords.tsx'
import { SignIn, SignUp } from './authenticator-sign-in.tsx'
import { drawQr } from './qr.server.ts'
import { asksAll, settleWhole } from './whole-sign-in.server.ts'

type Drawn = { title: string; Screen: ComponentType<ScreenProps> }

const SCREENS: Record<string, Drawn> = {
  signIn: { title: 'Sign In', Screen: SignIn },
  signUp: { title: 'Create Account', Screen: SignUp },
  confirmSignUp: { title: 'Confirm your account', Screen: ConfirmSignUp },
  confirmSignIn: { title: 'Confirm sign-in', Screen: ConfirmSignIn },
  setupTotp: { title: 'Setup TOTP', Screen: SetupTotp },
  forceNewPassword: { title: 'Change Password', Screen: ForceNewPassword },
  forgotPassword: { title: 'Reset your password', Screen: ForgotPassword },
  confirmResetPassword: { title: 'Reset your password', Screen: ConfirmResetPassword },
  verifyUser: { title: 'Verify contact', Screen: VerifyUser },
  confirmVerifyUser: { title: 'Verify contact', Screen: ConfirmVerifyUser },
  transition: { title: 'Signing you in', Screen: Waiting },
}

export const meta: MetaFunction<typeof loader> = ({ data, error }) => {
  if (error) return [{ title: 'Error · Liftwell' }]
  const title = `${data?.screen ? titleOf(data.screen.state) : 'Sign-in not found'} · Liftwell`
  return [{ title: data?.refused ? errorTitle(title) : title }]
}

const titleOf = ({ route, is_invited }: State) =>
  is_invited ? 'Choose your password' : SCREENS[route]?.title

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders

export async function loader(args: LoaderFunctionArgs) {
  await requireStranger(args)
  const { screen = '' } = args.params
  if (!Object.hasOwn(SCREENS, screen)) return data({ screen: null, refused: false }, { status: 404 })

  const { identity } = args.context
  const interaction = await identity.current()
  if (!interaction) return data({ screen: null, refused: false }, { status: 410 })
  const invitation = interaction.saved === null ? readCookie(args.request, INVITATION_COOKIE) : null
  const again = args.context.found.get('sent_again') as State | undefined
  const state = invitation
    ? await openInvitation(args, interaction, invitation)
    : (again ?? (await visit(args, interaction, screen)))
  const cookies = invitation ? [clearCookie(INVITATION_COOKIE)] : []
  if (state.route !== screen) throw redirect(`/login/${state.route}`, { headers: withCookies(cookies) })
  const waits = withCookies(cookies, state.route === 'transition' ? { Refresh: String(POLL_SECONDS) } : {})
  const refused = args.context.found.get('refused') === true
  const target = await keeper().targetOfSignIn(args.request)
  return data({ screen: { ...screenOf(interaction, state), target }, refused }, { headers: waits })
}

async function openInvitation({ context }: LoaderFunctionArgs, interaction: Interaction, code: string) {
  const begun = restore(null, interaction.username)
  return (await drive(context.identity, begun, { type: 'OPEN_INVITATION', code })).state
}

/** A visit to a freely available screen selects it; a visit to the waiting page polls again. */
async function visit({ context }: LoaderFunctionArgs, interaction: Interaction, screen: string) {
  const { identity } = context
  const isNew = interaction.saved === null
  const state = await stateOf(identity, interaction)
  if (state.waiting_since !== null && screen === 'transition') {
    const driven = await drive(identity, state, { type: 'POLL', now: Date.now() })
    if (driven.redirect_to) throw redirectDocument(driven.redirect_to)
    return driven.state
  }
  if (isNew || state.route === screen) return state
  return (await go(identity, interaction, state, screen)) ?? state
}

async function go(
  identity: LoaderFunctionArgs['context']['identity'],
  { screens }: Interaction,
  state: State,
  to: string,
): Promise<State | null> {
  if (!isOpen(state, to) || (to === 'signUp' && !screens.sign_up)) return null
  return (await drive(identity, state, { type: 'GO', to })).state
}

const screenOf = (interaction: Interaction, state: State) => {
  const { screens, is_ours, company, pool_id, password_policy, totp } = interaction
  return {
    state,
    is_ours,
    company,
    screens,
    pool_id,
    asks_all: asksAll(interaction),
    password_policy,
    totp: state.route === 'setupTotp' && totp ? { secret: totp.secret, qr: drawQr(totp.uri) } : null,
    dial_codes: asksForPhone(screens, state) ? dialCodes() : [],
  }
}

const asksForPhone = ({ required_attributes }: Interaction['screens'], state: State) =>
  (state.route === 'signUp' && required_attributes.includes('phone_number')) ||
  state.missing_attributes.includes('phone_number')

export async function action(args: ActionFunctionArgs) {
  await requireStranger(args)
  const { identity } = args.context
  const interaction = await identity.current()
  if (!interaction) throw redirect('/login?expired=1')

  const { screen = '' } = args.params
  let state = await stateOf(identity, interaction)
  if (state.route !== screen)
    state = (await go(identity, interaction, state, screen)) ?? sentAgain(state, screen) ?? state
  // The form belongs to a screen that another tab has left.
  if (state.route !== screen) throw redirect(`/login/${state.route}`)

  const { submission, action } = readForm(await args.request.formData(), interaction, state)
  // Tells the loader of the same request, which sets the title.
  args.context.found.set('refused', true)
  if (!action) {
    // Rendered in the submitted state, so that the errors are at its fields.
    if (state.has_reset) args.context.found.set('sent_again', state)
    return data(submission.reply(HIDDEN), { status: 400 })
  }
  const cookies =
    action.type === 'SIGN_IN' && asksAll(interaction)
      ? await settleWhole(args.request, interaction, {
          username: action.username,
          remember: submission.payload.remember !== undefined,
        })
      : []
  const driven = await drive(identity, state, action)
  if (driven.refusal && driven.state.route === screen)
    return data(submission.reply({ ...HIDDEN, ...wordsOf(driven.refusal) }), {
      status: statusOf(driven.refusal),
    })
  throw follow(driven, withCookies(cookies))
}

/** The input is returned with the errors, except passwords. */
const HIDDEN = { hideFields: ['password', 'confirm_password'] }

const wordsOf = ({ name, message }: IdentityError) =>
  name === 'InvalidPasswordException' ? { fieldErrors: { password: [message] } } : { formErrors: [message] }

const STATUS: Record<string, number> = { LimitExceededException: 429, ServiceUnavailableException: 503 }
const statusOf = ({ name }: Error) => STATUS[name] ?? 400

/** URLs of the provider are not routes of this site, so the browser loads them as documents. */
function follow({ state, redirect_to }: Driven, headers: Headers): Response {
  if (redirect_to) return redirectDocument(redirect_to, { headers })
  if (state.route === 'transition') return redirectDocument('/login/transition', { headers })
  return redirect(`/login/${state.route}`, { headers })
}

export default function Authenticator() {
  const { screen } = useLoaderData<typeof loader>()
  const lastResult = useActionData<typeof action>()
  // A new key for each answer: the form starts without earlier passwords and dismissed refusals.
  const { key } = useLocation()
  const Screen = screen && SCREENS[screen.state.route]?.Screen
  return Screen ? <Screen key={key} {...screen} lastResult={lastResult ?? null} /> : <Lost />
}
