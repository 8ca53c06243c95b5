/** The name of an account's status on screens and in files. */
import type { User } from './user.ts'

export const statusWord = (status: User['activation_status']) =>
  status === 'disabled' ? 'deactivated' : status
