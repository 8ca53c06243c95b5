/** Links on the first page of a sign-in: forgotten password and sign-up. */
import { Flex, Text } from '@radix-ui/themes'
import { SubmitButton } from '#app/ui/form/form.tsx'
import { Link } from '#app/ui/link.tsx'
import { useSearchLink } from '#app/ui/list/search.ts'

type OtherWaysProps = { forgot: boolean; offers_sign_up: boolean; redirect: string | null }

export function OtherWays({ forgot, offers_sign_up, redirect }: OtherWaysProps) {
  const link = useSearchLink()
  return (
    <Flex direction="column" gap="3" align="center" className="sign-in-links">
      {forgot ? (
        <Text size="2">
          <Link prefetch="none" to={link({ forgotPassword: null })}>
            Back to Sign In
          </Link>
        </Text>
      ) : (
        <ForgotButton />
      )}
      {offers_sign_up ? (
        <Text size="2">
          <a href={`/auth/start/default${signUpSearch(redirect)}`}>Create Account</a>
        </Text>
      ) : null}
    </Flex>
  )
}

/** A button, which takes along the address that was typed. */
const ForgotButton = () => (
  <SubmitButton intent="forgot" variant="ghost" formNoValidate>
    Forgot your password?
  </SubmitButton>
)

/** Leads directly to the form, which asks for the address itself. */
const signUpSearch = (redirect: string | null) =>
  `?${new URLSearchParams({ signUp: 'true', ...(redirect ? { redirect } : {}) })}`
