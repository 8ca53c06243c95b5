/** What somebody else has saved of a sign-in, beside what was typed; only the fields of the typed kind of provider. */
import { labelOf } from '#app/domain/authenticator/attributes.ts'
import type { SharedPool } from '#app/domain/pools/screen-rules.ts'
import { compare, SavedMeanwhile } from '#app/ui/form/saved-meanwhile.tsx'
import { PROVIDER_LABELS, RECOGNITION } from './provider-sections.tsx'
import { ENTRANCES, RULES_LABELS } from './rules-sections.tsx'
import { KINDS, MODES } from './sign-in-kinds.ts'

type Fields = Record<string, unknown>
type ComparedProps = { saved: Fields; typed: Fields }

export function SignInMeanwhile({ saved, typed }: ComparedProps) {
  const { kind, login_mode } = typed
  const isElsewhere = kind === 'cognito' || kind === 'oidc'
  const { client_secret: _, ...provider } = PROVIDER_LABELS
  const labels: Record<string, string> = {
    kind: 'Who signs them in',
    domains: 'Domains of its addresses',
    ...(kind === 'cognito' && { login_mode: 'Where they type their password' }),
    ...(isElsewhere && { ...provider, ...PEOPLE }),
    ...((kind === 'embedded' || login_mode === 'screens') && RULES),
    ...((kind === 'embedded' || kind === 'cognito') && { allow_sign_up: 'Anyone can create an account' }),
  }
  return <SavedMeanwhile differences={compare(labels, inWords(saved), inWords(typed))} />
}

export function SharedSignInMeanwhile({ saved, typed }: { saved: SharedPool; typed: Fields }) {
  const nameOf = (id: unknown) => saved.companies.find((one) => one.id === id)?.name ?? 'Nobody may'
  const named = (fields: Fields) => ({ ...inWords(fields), sign_up: nameOf(fields.sign_up_tenant_id) })
  const labels: Record<string, string> = { sign_up: 'New accounts belong to', ...RULES }
  return <SavedMeanwhile differences={compare(labels, named(saved), named(typed))} />
}

const RULES = {
  initial_screen: RULES_LABELS.initial_screen,
  required_attributes: RULES_LABELS.required_attributes,
  reveals_users: RULES_LABELS.reveals_users,
  password_policy: 'Passwords',
}
const PEOPLE = {
  recognise_by_email: 'How an invited person is recognized the first time',
  scopes: 'Scopes',
  audience: 'Audience of its access tokens',
  social_providers: 'Buttons for other accounts',
}
const CHOICES = {
  kind: KINDS,
  login_mode: MODES,
  recognise_by_email: RECOGNITION,
  initial_screen: ENTRANCES,
}

const listed = (value: unknown) => (value === undefined ? [] : [value].flat()).map(String)

function inWords(fields: Fields): Fields {
  const chosen = Object.entries(CHOICES).map(([name, choices]) => [
    name,
    choices.find(({ value }) => value === fields[name])?.label,
  ])
  const policy = (fields.password_policy ?? {}) as Fields
  const required = ['lowercase', 'uppercase', 'numbers', 'special_characters'].filter(
    (name) => policy[`require_${name}`],
  )
  return {
    ...fields,
    ...Object.fromEntries(chosen),
    required_attributes: listed(fields.required_attributes).map(labelOf).join(', '),
    social_providers: listed(fields.social_providers).join(', '),
    password_policy: [`at least ${policy.min_length}`, ...required].join(', ').replace('_', ' '),
  }
}
