/** Actions on several people of the list at once, with their questions and results. */

import { z } from 'zod'
import { figures } from '#app/domain/text/figures.ts'

const MAX_SELECTED = 100

export const BULK_ACTIONS = {
  resend_welcome: {
    label: 'Send invitation',
    question: (who: string) => `Send ${who} an invitation?`,
    message:
      'They get an e-mail that tells them how to sign in. Any earlier link to choose a password stops working. People who have signed in already get none.',
    variant: 'info',
    done: 'invited',
  },
  activate: {
    label: 'Activate',
    question: (who: string) => `Activate ${who}?`,
    message: 'They can sign in again.',
    variant: 'success',
    done: 'activated',
  },
  deactivate: {
    label: 'Deactivate',
    question: (who: string) => `Deactivate ${who}?`,
    message: 'They are logged out at once and cannot sign in until their accounts are activated again.',
    variant: 'warning',
    done: 'deactivated',
  },
} as const
export type BulkAction = keyof typeof BULK_ACTIONS

export const questionOf = (ask: BulkAction, selected: readonly number[]): string =>
  BULK_ACTIONS[ask].question(people(selected.length))

export const isBulkAction = (value: unknown): value is BulkAction =>
  typeof value === 'string' && Object.hasOwn(BULK_ACTIONS, value)

const Id = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER)

/** The selected ids without duplicates; invalid ones are ignored. */
export const readSelected = (values: readonly unknown[]): number[] =>
  [...new Set(values.flatMap((value) => Id.safeParse(value).data ?? []))].slice(0, MAX_SELECTED)

export const people = (count: number): string => (count === 1 ? '1 person' : `${figures(count)} people`)
