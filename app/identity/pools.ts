/** What the provider knows about an embedded pool: its client, its screens, its rules. */
import { DEFAULT_POLICY, type PasswordPolicy } from './factors/passwords.server.ts'

export type Screens = {
  initial_screen: 'signIn' | 'signUp' | 'forgotPassword'
  sign_up: boolean
  /** The name of the company that people join when they sign up. */
  joins: string | null
  required_attributes: string[]
  social_providers: string[]
}

export type EmbeddedPool = {
  id: string
  client_id: string
  name?: string
  screens?: Partial<Screens>
  password_policy?: Partial<PasswordPolicy>
  /** Whether the screens reveal that a name is unknown, or taken. */
  reveals_users?: boolean
}

export type Rules = {
  name: string
  screens: Screens
  password_policy: PasswordPolicy
  reveals_users: boolean
}

const DEFAULT_SCREENS: Screens = {
  initial_screen: 'signIn',
  sign_up: false,
  joins: null,
  required_attributes: [],
  social_providers: [],
}
const DEFAULT_NAME = 'AWSCognito'

export const rulesOf = ({ name, screens, password_policy, reveals_users }: EmbeddedPool): Rules => ({
  name: name || DEFAULT_NAME,
  screens: { ...DEFAULT_SCREENS, ...screens },
  password_policy: { ...DEFAULT_POLICY, ...password_policy },
  reveals_users: reveals_users ?? false,
})
