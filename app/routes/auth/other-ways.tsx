/** Links on the first page of a sign-in: forgotten password and sign-up. */
import { Flex, Text } from '@radix-ui/themes'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

type OtherWaysProps = { forgot: boolean; offers_sign_up: boolean; redirect: string | null }

export function OtherWays({ forgot, offers_sign_up, redirect }: OtherWaysProps) {
  const link = useSearchLink()
  return (
    <Flex direction="column" gap="3" align="center" className="sign-in-links">
      <Text size="2">
        <Link prefetch="none" to={forgot ? link({ forgotPassword: null }) : link({ forgotPassword: 'true' })}>
          {forgot ? 'Back to Sign In' : 'Forgot your password?'}
        </Link>
      </Text>
      {offers_sign_up ? (
        <Text size="2">
          <a href={`/auth/start/default${signUpSearch(redirect)}`}>Create Account</a>
        </Text>
      ) : null}
    </Flex>
  )
}

/** Leads directly to the form, which asks for the address itself. */
const signUpSearch = (redirect: string | null) =>
  `?${new URLSearchParams({ signUp: 'true', ...(redirect ? { redirect } : {}) })}`
