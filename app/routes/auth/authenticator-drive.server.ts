/** Runs the authenticator's state machine: an action, the resulting calls, and the state to store. */

import { redirect } from '@remix-run/node'
import {
  type IdentityError,
  type IdentityPort,
  INTERACTION_EXPIRED,
  type Interaction,
  isIdentityError,
} from '#app/auth/identity-port.ts'
import type { Action, Answer, CodeCall, Effect } from '#app/domain/authenticator/events.ts'
import { transition } from '#app/domain/authenticator/machine.ts'
import { isQuiet } from '#app/domain/authenticator/outcomes.ts'
import { restore, type State } from '#app/domain/authenticator/state.ts'

export type Driven = {
  state: State
  /** The provider's refusal, if the visitor should see it. */
  refusal: IdentityError | null
  /** The destination after a completed sign-in. */
  redirect_to: string | null
}

/** The visitor's current state; a new visitor starts at the first screen. */
export async function stateOf(identity: IdentityPort, interaction: Interaction): Promise<State> {
  const { saved, username, entrance } = interaction
  const state = restore(saved, username)
  if (state.route !== 'idle') return state
  return (await drive(identity, state, { type: 'START', initial: entrance, has_user: false })).state
}

export async function drive(identity: IdentityPort, from: State, action: Action): Promise<Driven> {
  let { state, effect } = transition(from, action)
  let refusal: Driven['refusal'] = null
  let redirect_to: Driven['redirect_to'] = null

  while (effect) {
    const made: Effect = effect
    const { answer, leads_to = null, error = null } = await perform(identity, made)
    ;({ state, effect } = transition(state, answer))
    redirect_to = leads_to
    refusal = error && !(answer.type === 'failed' && isQuiet(answer)) ? error : refusal
  }
  const kept = keepRefusal(from, state, refusal)
  if (kept.route !== 'authenticated') await identity.save(kept)
  return { state: kept, refusal, redirect_to }
}

/** If the refused screen is gone, the next one shows the refusal. */
const keepRefusal = (from: State, state: State, refusal: IdentityError | null): State =>
  refusal && state.route !== from.route ? { ...state, notice: state.notice ?? refusal.message } : state

type Performed = { answer: Answer; leads_to?: string; error?: IdentityError }

async function perform(identity: IdentityPort, effect: Effect): Promise<Performed> {
  try {
    if (effect.call === 'complete') {
      const { redirect_to } = await identity.complete()
      return { answer: { type: 'completed' }, leads_to: redirect_to }
    }
    return { answer: await call(identity, effect) }
  } catch (error) {
    if (!isIdentityError(error)) throw error
    if (error.name === INTERACTION_EXPIRED) throw redirect('/login?expired=1')
    const { name, message } = error
    return { answer: { type: 'failed', call: effect.call, name, message, now: Date.now() }, error }
  }
}

async function call(identity: IdentityPort, effect: Exclude<Effect, { call: 'complete' }>): Promise<Answer> {
  switch (effect.call) {
    case 'signIn':
      return { type: 'signedIn', ...(await identity.signIn(effect)) }
    case 'openInvitation':
      return { type: 'invited', ...(await identity.openInvitation(effect)) }
    case 'confirmSignIn':
      return { type: 'signedIn', ...(await identity.confirmSignIn(effect)) }
    case 'autoSignIn':
      return { type: 'signedIn', ...(await identity.autoSignIn()) }
    case 'signUp':
      return { type: 'signedUp', ...(await identity.signUp(effect)) }
    case 'confirmSignUp':
      return { type: 'signUpConfirmed', ...(await identity.confirmSignUp(effect)) }
    case 'resendSignUpCode':
    case 'resendSignInCode':
    case 'resetPassword':
    case 'sendUserAttributeVerificationCode':
      return { type: 'codeSent', call: effect.call, delivery: await sendCode(identity, effect) }
    case 'confirmResetPassword':
      await identity.confirmResetPassword(effect)
      return { type: 'passwordReset' }
    case 'fetchUserAttributes':
      return { type: 'attributesFetched', attributes: await identity.fetchUserAttributes() }
    case 'confirmUserAttribute':
      await identity.confirmUserAttribute(effect)
      return { type: 'attributeConfirmed' }
    case 'cancel':
      await identity.cancel()
      return { type: 'cancelled' }
    case 'signOut':
      await identity.cancel()
      return { type: 'signedOut' }
  }
}

type Sending = Extract<Effect, { call: CodeCall }>

function sendCode(identity: IdentityPort, effect: Sending) {
  if (effect.call === 'resendSignInCode') return identity.resendSignInCode()
  if (effect.call === 'resendSignUpCode') return identity.resendSignUpCode(effect)
  if (effect.call === 'resetPassword') return identity.resetPassword(effect)
  return identity.sendUserAttributeVerificationCode(effect)
}
