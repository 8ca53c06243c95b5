/** Actions on a person's account, named by their right: button, question, call and result. */

import type { ApiClient } from '#app/api/client.server.ts'
import { erasePerson, recordOptOut } from '#app/api/contract/people/privacy.ts'
import {
  deleteUser,
  inviteUser,
  removeRoles,
  resetPassword,
  setActivation,
  takeSecondFactor,
} from '#app/api/contract/people/users.ts'
import type { User, UserRight } from '#app/domain/users/user.ts'
import type { DialogVariant } from '#app/ui/dialog.tsx'

type Question = { title: (name: string) => string; message: string; yes: string; variant: DialogVariant }
type AccountAction = {
  label: string
  /** Asked first; without a question, the button acts immediately. */
  question?: Question
  call: (api: ApiClient, id: number) => Promise<unknown>
  done: string
  /** A further condition, besides permission. */
  when?: (user: User) => boolean
  /** Styled as a destructive action. */
  ends?: true
  /** The person's page no longer exists afterwards. */
  leaves?: true
}

const isActive = (user: User) => user.activation_status === 'active'
const activation = (activation_status: 'active' | 'disabled') => (api: ApiClient, id: number) =>
  api(setActivation, { id }, { activation_status })

export const ACCOUNT_ACTIONS = {
  resend_welcome: {
    label: 'Send invitation',
    call: (api, id) => api(inviteUser, { id }),
    done: 'Invitation sent',
  },
  reset_password: {
    label: 'Require a new password',
    question: {
      title: (name) => `Require a new password for ${name}?`,
      message:
        'They are logged out everywhere. At their next sign-in they get a code by e-mail to choose a new password.',
      yes: 'Yes, require it',
      variant: 'warning',
    },
    call: (api, id) => api(resetPassword, { id }),
    done: 'New password required at their next sign-in',
    when: isActive,
  },
  take_second_factor: {
    label: 'Remove second factor',
    question: {
      title: (name) => `Remove the second factor of ${name}?`,
      message:
        'For a lost phone. Make sure that the request really comes from them. They are logged out everywhere and told by e-mail. Until they set up another one, their password alone signs them in, unless one is required.',
      yes: 'Yes, remove it',
      variant: 'warning',
    },
    call: (api, id) => api(takeSecondFactor, { id }),
    done: 'Second factor removed',
    when: isActive,
  },
  opt_out: {
    label: 'End text messages',
    question: {
      title: (name) => `End text messages to ${name}?`,
      message:
        'For people who told you that they don’t want texts. Their lifts come by e-mail from now on. Only they can opt in again: in their profile, or by texting START.',
      yes: 'Yes, end them',
      variant: 'warning',
    },
    call: (api, id) => api(recordOptOut, { id }),
    done: 'Texts to this number have ended',
    when: (user) => user.mobile_phone !== null && user.sms_opt_in !== false,
  },
  activate: {
    label: 'Activate account',
    call: activation('active'),
    done: 'Account activated',
    when: (user) => user.activation_status === 'disabled',
  },
  deactivate: {
    label: 'Deactivate account',
    question: {
      title: (name) => `Deactivate ${name}?`,
      message: 'They are logged out right away and can’t sign in until the account is activated again.',
      yes: 'Yes, deactivate',
      variant: 'warning',
    },
    call: activation('disabled'),
    done: 'Account deactivated',
    when: (user) => user.activation_status !== 'disabled',
    ends: true,
  },
  remove_roles: {
    label: 'Remove from this sub-tenant',
    question: {
      title: (name) => `Remove ${name} from this sub-tenant?`,
      message:
        'They lose their roles and groups here. They keep their account, their roles elsewhere, and the journeys they take part in.',
      yes: 'Yes, remove',
      variant: 'warning',
    },
    call: (api, id) => api(removeRoles, { id }),
    done: 'Removed from this sub-tenant',
    ends: true,
    leaves: true,
  },
  delete: {
    label: 'Delete user',
    question: {
      title: (name) => `Delete ${name}?`,
      message: "You can't undo this. People who take part in a journey can only be deactivated.",
      yes: 'Yes, delete',
      variant: 'error',
    },
    call: (api, id) => api(deleteUser, { id }),
    done: 'User deleted',
    ends: true,
    leaves: true,
  },
  erase: {
    label: 'Erase for good',
    question: {
      title: (name) => `Erase ${name} for good?`,
      message:
        "Name, address, number, messages and written answers are removed everywhere, and the account is closed. Figures keep an unnamed place. Files that were downloaded, and what went to a learning record store, stay where they are. You can't undo this.",
      yes: 'Yes, erase',
      variant: 'error',
    },
    call: (api, id) => api(erasePerson, { id }),
    done: 'Person erased',
    ends: true,
    leaves: true,
  },
} satisfies Partial<Record<UserRight, AccountAction>>

export type AccountActionName = keyof typeof ACCOUNT_ACTIONS
export const ACCOUNT_ACTION_NAMES = Object.keys(ACCOUNT_ACTIONS) as AccountActionName[]
export const accountAction = (name: AccountActionName): AccountAction => ACCOUNT_ACTIONS[name]
