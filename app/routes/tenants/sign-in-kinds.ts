/** Who signs a company's people in, and where they type their password. */
export const KINDS = [
  { value: 'shared', label: 'Liftwell’s own provider, shared with other companies' },
  { value: 'embedded', label: 'Liftwell’s own provider, for this company alone' },
  { value: 'cognito', label: 'An Amazon Cognito user pool' },
  { value: 'oidc', label: 'Another OpenID provider' },
]
export const MODES = [
  { value: 'redirect', label: 'On the provider’s own pages' },
  { value: 'screens', label: 'On our screens' },
]
